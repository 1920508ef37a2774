import { describe } from "vitest"
import { OF_ADMINS, ON_JOBS, ON_ONESELF } from "../../helpers/actions-on-jobs.ts"
import { ASKING, SHOWING } from "../../helpers/actions-on-requests.ts"
import { ON_VISITORS } from "../../helpers/actions-on-visitors.ts"
import { testLostReplies } from "../../helpers/lost-replies.ts"
import { MovableClock } from "../../sandbox/kit/movable-clock.ts"

const options = {
  docs: { analyticsPerWindow: 1_000_000 },
  env: { START_DELAY_SECONDS: "60", MAX_QUEUED_PER_USER: "10000", ANALYTICS_PER_HOUR: "10000" },
}

// A bed for each, so that no earlier request starts meanwhile.
describe.each([
  ["words that only show something", SHOWING],
  ["requests", ASKING],
  ["what waits", ON_JOBS],
  ["what is kept of a person", ON_ONESELF],
  ["what admins do", OF_ADMINS],
  ["reports about visitors", ON_VISITORS],
])("SAFE-9: of %s", (_, actions) => {
  testLostReplies(actions, options)
})

/** Clock on which a minute, the lease of a CSV, lasts a second. */
class FastClock extends MovableClock {
  readonly #start = Date.now()

  override readonly now = (): number => this.#start + 60 * (Date.now() - this.#start)

  override get aheadMs(): number {
    return this.now() - Date.now()
  }
}

describe("SAFE-9: of the worker", () => {
  const csv = ON_VISITORS.filter(({ of }) => of.includes("visitors_csv"))
  testLostReplies(csv, { ...options, clock: new FastClock() }, "workerRedis")
})
