import { fork } from "node:child_process"
import { once } from "node:events"
import type { AddressInfo } from "node:net"

/** A documentation service that only answers, in a process of its own. */
export class BareService implements AsyncDisposable {
  readonly #child = fork(new URL("./service-process.ts", import.meta.url), {
    execArgv: ["--import", "tsx"],
  })
  #port = 0

  static async start(): Promise<BareService> {
    const service = new BareService()
    const [address] = await once(service.#child, "message")
    service.#port = (address as AddressInfo).port
    return service
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}`
  }

  /** Requests answered so far. */
  async answered(): Promise<number> {
    this.#child.send("how many")
    const [count] = await once(this.#child, "message")
    return count as number
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const gone = once(this.#child, "exit")
    this.#child.kill("SIGKILL")
    await gone
  }
}
