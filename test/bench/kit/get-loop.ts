import { fork } from "node:child_process"
import { once } from "node:events"

const SCRIPT = new URL("../reference/get-loop.js", import.meta.url)

/** The bare poller, in a process of its own as the worker is. */
export class GetLoop implements AsyncDisposable {
  readonly #child

  /** @param inHand requests that wait for a connection, so that none is ever idle */
  constructor(url: string, connections: number, inHand: number) {
    this.#child = fork(SCRIPT, [url, String(connections), String(inHand)])
  }

  get pid(): number {
    return this.#child.pid ?? 0
  }

  async run(forMs: number): Promise<void> {
    this.#child.send(forMs)
    await once(this.#child, "message")
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const gone = once(this.#child, "exit")
    this.#child.kill("SIGKILL")
    await gone
  }
}
