import { fork } from "node:child_process"
import { once } from "node:events"

/** Requests to send as fast as `connections` allow, each connection one at a time. */
export interface Load {
  url: string
  connections: number
  requests: { headers: Record<string, string>; body: string }[]
}

export interface LoadResult {
  seconds: number
  /** ms */
  p50: number
  p99: number
  /** Answers by status and first words of the body. */
  answers: Record<string, number>
}

/** The load generator, in a process of its own so that it shares no event loop with what it measures. */
export class LoadGenerator implements AsyncDisposable {
  readonly #child = fork(new URL("./load-process.ts", import.meta.url), {
    execArgv: ["--import", "tsx"],
    serialization: "advanced",
  })
  readonly #gone = once(this.#child, "exit")

  get pid(): number {
    return this.#child.pid ?? 0
  }

  async run(load: Load): Promise<LoadResult> {
    this.#child.send(load)
    const gone = this.#gone.then(() => {
      throw new Error("The load generator ended; its error stands above.")
    })
    const [result] = await Promise.race([once(this.#child, "message"), gone])
    return result as LoadResult
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#child.kill("SIGKILL")
    await this.#gone
  }
}
