import { type ChildProcess, fork } from "node:child_process"
import { once } from "node:events"

/**
 * A module of the benchmarks in a process of its own, so that it shares neither event loop nor
 * memory with what else is measured. It sends one message when it is ready, and one for each order.
 */
export class Child<Ready, Order extends object | string, Answer> implements AsyncDisposable {
  readonly ready: Ready
  readonly #process: ChildProcess
  readonly #gone: Promise<unknown>

  private constructor(ready: Ready, child: ChildProcess, gone: Promise<unknown>) {
    this.ready = ready
    this.#process = child
    this.#gone = gone
  }

  /** @param file beside this one */
  static async start<Ready, Order extends object | string, Answer>(
    file: string,
    args: readonly string[] = [],
    env: Readonly<Record<string, string>> = {},
  ): Promise<Child<Ready, Order, Answer>> {
    const child = fork(new URL(file, import.meta.url), args, {
      execArgv: ["--import", "tsx"],
      env: { PATH: process.env.PATH ?? "", ...env },
      serialization: "advanced",
    })
    const gone = once(child, "exit")
    const ready = (await firstOf(child, gone)) as Ready
    return new Child(ready, child, gone)
  }

  /** One order at a time. @throws Error when the process ends instead of answering. */
  async ask(order: Order): Promise<Answer> {
    this.#process.send(order)
    return (await firstOf(this.#process, this.#gone)) as Answer
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#process.kill("SIGKILL")
    await this.#gone
  }
}

async function firstOf(child: ChildProcess, gone: Promise<unknown>): Promise<unknown> {
  const ended = gone.then(() => {
    throw new Error("A process of the benchmark ended; its error stands above.")
  })
  const [message] = await Promise.race([once(child, "message"), ended])
  return message
}

/** For the module in that process: a benchmark that was interrupted leaves nothing behind. */
export function endWithParent(): void {
  process.on("disconnect", () => process.exit())
}
