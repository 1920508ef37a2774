import { noteAlive } from "../../../src/operating/missing-worker.ts"
import type { RedisClient } from "../../../src/store/script.ts"
import { letExpire } from "../clock/redis-time.ts"
import type { MovableClock } from "../kit/movable-clock.ts"
import type { TestBed } from "../test-bed.ts"
import { RequestError } from "./requests.ts"

const MINUTE_MS = 60_000

interface TimeParts {
  readonly clock: MovableClock
  readonly testBed: Pick<TestBed, "restartBot" | "docs">
  /** Connection to the bot's store. */
  readonly redis: RedisClient
}

export type TimeControl = ReturnType<typeof createTimeControl>

/**
 * Skips ahead for everyone at once. The bot's own timers can't be moved: it restarts, as if its
 * host had slept, and takes what is now due from its store.
 */
export function createTimeControl({ clock, testBed, redis }: TimeParts) {
  let isMoving = false
  return {
    now: clock.now,
    get aheadMs() {
      return clock.aheadMs
    },
    /** Skips ahead. @throws RequestError if a skip is already in progress. */
    async moveOn(minutes: number): Promise<void> {
      if (isMoving) throw new RequestError(409, "Already skipping ahead. Try again when it's done")
      isMoving = true
      try {
        await testBed.restartBot(async () => {
          clock.moveOn(minutes * MINUTE_MS)
          await letExpire(redis, minutes * MINUTE_MS)
          // Skipped time isn't an outage, after which the bot would wait for an admin.
          await noteAlive({ redis, now: () => clock.now() })
        })
        // The service updates its jobs when they are read.
        for (const { id } of testBed.docs.projects) testBed.docs.jobs(id)
      } finally {
        isMoving = false
      }
    },
  }
}
