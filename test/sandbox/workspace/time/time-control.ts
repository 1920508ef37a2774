import type { RedisClient } from "../../../../src/redis/script.ts"
import { visitorsKeys } from "../../../../src/redis/visitors-keys.ts"
import type { MovableClock } from "../../clock/movable-clock.ts"
import { letExpire } from "../../clock/redis-time.ts"
import type { TestBed } from "../../test-bed.ts"
import { RequestError } from "../request-error.ts"
import type { TimeStep } from "../requests.ts"

const MINUTE_MS = 60_000

export interface TimeParts {
  readonly clock: MovableClock
  readonly testBed: Pick<TestBed, "restartBot" | "docs">
  /** The bot's store. */
  readonly redis: RedisClient
}

/**
 * Moves time on, for everybody at once. The bot's own timers cannot be moved: it is restarted, as if its
 * host had slept meanwhile, and takes what is due by now from its store.
 */
export class TimeControl {
  readonly #parts: TimeParts
  #isMoving = false

  constructor(parts: TimeParts) {
    this.#parts = parts
  }

  get now(): () => number {
    return this.#parts.clock.now
  }

  get aheadMs(): number {
    return this.#parts.clock.aheadMs
  }

  /** @throws RequestError when there is nothing to move to, or time is being moved already. */
  async moveOn(step: TimeStep): Promise<void> {
    if (this.#isMoving) throw new RequestError(409, "Time is already being skipped ahead")
    this.#isMoving = true
    try {
      const ms = "minutes" in step ? step.minutes * MINUTE_MS : await this.#untilNext(step.to)
      await this.#pass(ms)
    } finally {
      this.#isMoving = false
    }
  }

  async #pass(ms: number): Promise<void> {
    const { clock, testBed, redis } = this.#parts
    await testBed.restartBot(async () => {
      clock.moveOn(ms)
      await letExpire(redis, ms)
    })
    // Whoever looks at a job has the service see what became of it by now.
    for (const { id } of testBed.docs.projects) testBed.docs.jobs(id)
  }

  async #untilNext(what: keyof typeof NEXT): Promise<number> {
    const { clock, redis } = this.#parts
    const { key, none } = NEXT[what]
    const [, due] = await redis.zrange(key, "0", "0", "WITHSCORES")
    if (due === undefined) throw new RequestError(409, none)
    return Math.max(0, Number(due) - clock.now())
  }
}

/** What comes to channels by itself. */
const NEXT = {
  next_digest: {
    key: visitorsKeys.digestsDue,
    none: "No channel has a digest yet: type /docs-visitors subscribe weekly in one",
  },
  /** A day is looked at until two looks agree, so an alert comes with the second one. */
  next_look: {
    key: visitorsKeys.alertsDue,
    none: "No channel has alerts yet: type /docs-visitors alert on in one",
  },
} as const
