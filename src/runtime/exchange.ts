import type { IncomingHttpHeaders } from "node:http"
import type { Dispatcher } from "undici"

/** An answer, whole. */
export interface Answer {
  status: number
  headers: IncomingHttpHeaders
  body: string
}

/**
 * One request and its whole answer as text. undici's `request` gives the body as a stream, which
 * costs as much as all the rest of a poll, and `fetch` several times as much as that; here nobody wants
 * a body in pieces.
 * @param withinMs the exchange is given up then, wherever it stands
 */
export function exchange(
  dispatcher: Dispatcher,
  options: Dispatcher.DispatchOptions,
  withinMs: number,
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    dispatcher.dispatch(options, new WholeAnswer(resolve, reject, withinMs))
  })
}

class WholeAnswer implements Dispatcher.DispatchHandler {
  readonly #resolve: (answer: Answer) => void
  readonly #reject: (error: Error) => void
  readonly #timer: NodeJS.Timeout
  readonly #chunks: Buffer[] = []
  #status = 0
  #headers: IncomingHttpHeaders = {}
  #controller: Dispatcher.DispatchController | undefined
  #late: Error | undefined

  constructor(resolve: (answer: Answer) => void, reject: (error: Error) => void, withinMs: number) {
    this.#resolve = resolve
    this.#reject = reject
    // A plain timer: an AbortSignal has one as well, and more around it.
    this.#timer = setTimeout(() => this.#giveUp(), withinMs).unref()
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller
    // It waited for a connection until there was no time left to use it.
    if (this.#late) controller.abort(this.#late)
  }

  /** Called more than once if the service sends informational responses first, such as "early hints". */
  onResponseStart(_: unknown, status: number, headers: IncomingHttpHeaders): void {
    this.#status = status
    this.#headers = headers
  }

  onResponseData(_: unknown, chunk: Buffer): void {
    this.#chunks.push(chunk)
  }

  onResponseEnd(): void {
    clearTimeout(this.#timer)
    const [only, ...more] = this.#chunks
    const whole = more.length === 0 ? only : Buffer.concat(this.#chunks)
    this.#resolve({
      status: this.#status,
      headers: this.#headers,
      body: whole?.toString("utf8") ?? "",
    })
  }

  onResponseError(_: unknown, error: Error): void {
    clearTimeout(this.#timer)
    this.#reject(error)
  }

  #giveUp(): void {
    this.#late = new DOMException("No whole answer came in time.", "TimeoutError")
    this.#controller?.abort(this.#late)
  }
}
