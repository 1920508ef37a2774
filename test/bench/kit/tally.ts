import { setTimeout as delay } from "node:timers/promises"
import { Child } from "./child.ts"

/** What came in since the last `forget`. */
export interface Tally {
  /** Different jobs polled or prompts received. */
  different: number
  /** How often the one that came most often came. */
  most: number
  /** From the first request to the last. */
  seconds: number
}

export type TallyOrder = "tally" | { forget: true; delayMs: number }

/** A documentation service that counts, in a process of its own. */
export class TallyService implements AsyncDisposable {
  readonly url: string
  readonly #child: Child<number, TallyOrder, Tally>

  private constructor(child: Child<number, TallyOrder, Tally>) {
    this.url = `http://127.0.0.1:${child.ready}`
    this.#child = child
  }

  static async start(): Promise<TallyService> {
    return new TallyService(await Child.start("tally-process.ts"))
  }

  /** Counts from zero. @param delayMs from now on every answer takes so long */
  async forget(delayMs: number): Promise<void> {
    await this.#child.ask({ forget: true, delayMs })
  }

  /** Resolves when so many different ones came. @throws Error when one came twice. */
  async until(different: number): Promise<Tally> {
    let tally = await this.#child.ask("tally")
    while (tally.different < different) {
      await delay(20)
      tally = await this.#child.ask("tally")
    }
    if (tally.most > 1) throw new Error(`The service was asked the same ${tally.most} times`)
    return tally
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#child[Symbol.asyncDispose]()
  }
}
