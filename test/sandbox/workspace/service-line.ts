import { once } from "node:events"
import { connect, createServer, type Server, type Socket } from "node:net"

/**
 * The line between the bot and the documentation service. While it is down, connections are refused
 * as by a host that is not there; the service itself keeps its jobs and its clock.
 */
export class ServiceLine {
  readonly #sockets = new Set<Socket>()
  readonly #port: number
  #server: Server
  #target = 0

  private constructor(server: Server, port: number) {
    this.#server = server
    this.#port = port
    this.#server.on("connection", (socket) => this.#forward(socket))
  }

  /** Listens on a free port of the loopback interface. */
  static async open(): Promise<ServiceLine> {
    const server = await listening(0)
    const address = server.address()
    if (typeof address !== "object" || address === null) throw new Error("The line has no port")
    return new ServiceLine(server, address.port)
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}`
  }

  get isUp(): boolean {
    return this.#server.listening
  }

  /** Where the service listens. */
  leadTo(port: number): void {
    this.#target = port
  }

  /** @throws Error when another program took the port meanwhile. */
  async set(up: boolean): Promise<void> {
    if (up === this.isUp) return
    if (!up) return this.close()
    this.#server = await listening(this.#port)
    this.#server.on("connection", (socket) => this.#forward(socket))
  }

  async close(): Promise<void> {
    if (!this.isUp) return
    const closed = once(this.#server, "close")
    this.#server.close()
    for (const socket of this.#sockets) socket.destroy()
    await closed
  }

  #forward(socket: Socket): void {
    const onward = connect(this.#target, "127.0.0.1")
    for (const [from, to] of [
      [socket, onward],
      [onward, socket],
    ] as const) {
      this.#sockets.add(from)
      from.pipe(to)
      // A reset on one side is a reset on the other: the faults of the service depend on it.
      from.on("error", () => to.resetAndDestroy())
      from.on("close", () => {
        this.#sockets.delete(from)
        to.destroy()
      })
    }
  }
}

async function listening(port: number): Promise<Server> {
  const server = createServer()
  server.listen(port, "127.0.0.1")
  await once(server, "listening")
  return server
}
