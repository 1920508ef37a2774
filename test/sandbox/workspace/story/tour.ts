import { setTimeout as delay } from "node:timers/promises"
import type { StoryState } from "../wire.ts"
import { type Stage, type Step, script } from "./script.ts"

/** How long people are left to read a step, ms. */
export const TOUR_REST_MS = 3500
const STOPPED = "The tour ends here: the next step took too long."

/**
 * The story, played in a workspace with people who do what people can do and a bot that knows nothing
 * of it. As often as somebody wants, once at a time.
 */
export class Tour {
  readonly #parts: Omit<Stage, "thread">
  readonly #tell: (story: StoryState) => void
  #ending: AbortController | undefined

  constructor(parts: Omit<Stage, "thread">, tell: (story: StoryState) => void) {
    this.#parts = parts
    this.#tell = tell
  }

  get isPlaying(): boolean {
    return this.#ending !== undefined
  }

  /**
   * Resolves at the end, or when it is ended early; each step is left to be looked at for `restMs`.
   * @throws Error when it is playing, or when something it waits for does not come.
   */
  async play(restMs: number): Promise<void> {
    if (this.#ending) throw new Error("The tour is already playing")
    const ending = new AbortController()
    this.#ending = ending
    const stage: Stage = { ...this.#parts, thread: "" }
    try {
      for (const [index, step] of script.entries()) {
        await this.#playStep(index, step, stage)
        await delay(restMs, undefined, { signal: ending.signal, ref: false }).catch(() => {})
        if (ending.signal.aborted) return this.#say(index, step, stage, { done: true })
      }
    } finally {
      this.#ending = undefined
    }
  }

  /** Ends it after the step in hand; does nothing where none is playing. */
  end(): void {
    this.#ending?.abort()
  }

  async #playStep(index: number, step: Step, stage: Stage): Promise<void> {
    this.#say(index, step, stage, { done: false })
    try {
      await step.play(stage)
    } catch (error) {
      this.#say(index, { ...step, caption: STOPPED }, stage, { done: true })
      throw error
    }
    // Once more: what was acted out may have made the place to look at.
    this.#say(index, step, stage, { done: index === script.length - 1 })
  }

  #say(index: number, { caption, scene }: Step, stage: Stage, facts: { done: boolean }): void {
    const steps = script.length
    this.#tell({ step: index + 1, steps, caption, scene: scene(stage), ...facts })
  }
}
