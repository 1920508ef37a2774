import type { Mutant } from "../mutant.ts"

/** One clock for everybody. A Redis inside the tests' own process has their clock: these need a server. */
export const CLOCKS: readonly Mutant[] = [
  {
    name: "digest-by-own-clock",
    breaks: "A worker whose clock is behind posts a digest once.",
    file: "src/visitors/digest-pass.ts",
    search: "const after = Math.max(claimed.at, dueAt)",
    replace: "const after = Date.now()",
    project: "integration",
    tests: ["clock-skew"],
    only: "a digest that is due comes once",
  },
  {
    name: "poll-by-own-clock",
    breaks: "A worker whose clock is ahead loses track of no job early.",
    file: "src/jobs/poll.ts",
    search: "const at = now + performance.now() - claimedAt",
    replace: "const at = Date.now()",
    project: "integration",
    tests: ["clock-skew"],
    only: "not lost track of",
  },
  {
    name: "machine-time-for-redis-time",
    breaks: "The first digest comes at the next such time, however far off a machine's clock is.",
    file: "src/redis/clock.ts",
    search: "const at = await redisTime(redis)",
    replace: "const at = Date.now()",
    project: "integration",
    tests: ["clock-skew"],
    only: "the first digest of a subscription",
  },
  {
    name: "wait-from-the-first-request",
    breaks:
      "After a restart of Redis nobody waits who asks later than it takes the bot to catch up.",
    file: "src/limits/creation-slots.ts",
    search: "      await this.#store.beginWait()\n",
    replace: "",
    project: "integration",
    tests: ["empty-redis"],
    only: "not with the first request",
  },
  {
    name: "date-by-own-clock",
    breaks: "A service whose clock is not ours is asked again when it says, not before.",
    file: "src/docs/faults.ts",
    search: 'Date.parse(headers.date ?? "")',
    replace: "Date.now()",
    project: "unit",
    tests: ["transport-faults"],
  },
]
