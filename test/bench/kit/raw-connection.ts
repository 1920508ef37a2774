import { once } from "node:events"
import { connect, type Socket } from "node:net"

/**
 * One kept-alive HTTP connection with the least code that works: a full client would take as much of
 * the machine as what it measures, and on few cores take it from that.
 */
export class RawConnection implements Disposable {
  readonly #socket: Socket
  #received = ""
  #answered: (answer: string) => void = () => {}
  #failed: (error: Error) => void = () => {}

  private constructor(socket: Socket) {
    this.#socket = socket
    socket.setNoDelay(true).setEncoding("latin1")
    socket.on("data", (text) => this.#take(String(text)))
    socket.on("error", (error) => this.#failed(error))
    socket.on("close", () => this.#failed(new Error("The program hung up.")))
  }

  static async to({ hostname, port }: URL): Promise<RawConnection> {
    const socket = connect(Number(port), hostname)
    await once(socket, "connect")
    return new RawConnection(socket)
  }

  /** @param request the bytes of one whole request @returns status and body, as far as it says its length */
  ask(request: Buffer): Promise<string> {
    return new Promise((answered, failed) => {
      this.#answered = answered
      this.#failed = failed
      this.#socket.write(request)
    })
  }

  #take(text: string): void {
    this.#received += text
    const head = this.#received.indexOf("\r\n\r\n")
    if (head === -1) return
    const length = /^content-length: (\d+)/im.exec(this.#received)?.[1]
    const end = length === undefined ? chunkedEnd(this.#received, head) : head + 4 + Number(length)
    if (end === undefined || this.#received.length < end) return
    const answer = `${this.#received.slice(9, 12)} ${this.#received.slice(head + 4, end)}`
    this.#received = ""
    this.#answered(answer)
  }

  [Symbol.dispose](): void {
    this.#failed = () => {}
    this.#socket.destroy()
  }
}

function chunkedEnd(text: string, head: number): number | undefined {
  return text.endsWith("0\r\n\r\n") && text.length > head + 4 ? text.length : undefined
}

/** The bytes of a POST. */
export function post(url: URL, headers: Readonly<Record<string, string>>, body: string): Buffer {
  const all = { host: url.host, ...headers, "content-length": String(Buffer.byteLength(body)) }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`)
  return Buffer.from(`POST ${url.pathname} HTTP/1.1\r\n${lines.join("")}\r\n${body}`)
}
