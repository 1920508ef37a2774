import { type CreationOutcome, hadNoEffect } from "./outcome.ts"
import type { OwnCreation } from "./slot-store.ts"

interface Remembered {
  readonly job: OwnCreation["job"]
  readonly token: string
  readonly outcome: CreationOutcome | undefined
  /** The latest moment it can have arrived at the service, on the clock below. */
  readonly latest: number
}

/**
 * The creations that this process started in the rolling hour, for a Redis that forgot them. Times
 * are kept on a clock that nobody sets, and told as ages: the wall clocks of two hosts disagree.
 */
export class OwnCreations {
  readonly #windowMs: number
  readonly #clock: () => number
  readonly #byJob = new Map<string, Remembered>()

  /** @param clock ms since any moment; never goes back. */
  constructor(windowMs: number, clock: () => number) {
    this.#windowMs = windowMs
    this.#clock = clock
  }

  /** Its slot was taken; it may arrive up to `creationMs` from now. */
  begun(job: OwnCreation["job"], token: string, creationMs: number): void {
    this.#forgetOld()
    const latest = this.#clock() + creationMs
    this.#byJob.set(job.id, { job, token, outcome: undefined, latest })
  }

  /** An answer came. What certainly had no effect is forgotten. */
  ended(id: string, outcome: CreationOutcome): void {
    const known = this.#byJob.get(id)
    if (!known) return
    if (hadNoEffect(outcome)) this.#byJob.delete(id)
    else if (outcome.kind === "unknown") this.#byJob.set(id, { ...known, outcome })
    else this.#byJob.set(id, { ...known, outcome, latest: this.#clock() })
  }

  /** Oldest first. The age of one that may still be on its way is negative. */
  list(): OwnCreation[] {
    this.#forgetOld()
    const now = this.#clock()
    return [...this.#byJob.values()].map(({ latest, ...rest }) => ({
      ...rest,
      ageMs: now - latest,
    }))
  }

  #forgetOld(): void {
    const gone = this.#clock() - this.#windowMs
    for (const [id, { latest }] of this.#byJob) if (latest <= gone) this.#byJob.delete(id)
  }
}
