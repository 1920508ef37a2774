import { describe, expect } from "vitest"
import { jobKeys } from "../../src/jobs/job-keys.ts"
import { muted } from "../../src/jobs/rounds.ts"
import { SlackError } from "../../src/slack/slack-error.ts"
import { afterTheLink } from "../helpers/after-the-link.ts"
import { push } from "../helpers/github.ts"
import { anAsk, followedJob, type JobFacts, keepJob } from "../helpers/job.ts"
import { useRedis } from "../helpers/redis.ts"
import { testIn } from "../helpers/test-bed.ts"

const redis = useRedis()
const test = testIn(withTwo)
const REMINDERS = jobKeys.schedule("reminders")
const [ONE, TWO, THREE] = ["aaaaaaaa23", "bbbbbbbb23", "cccccccc23"]

/** Stores a job, Ada's if nothing else is given, with a pull request followed from this time on. */
const withPull = (id: string, number: number, since: number, more: JobFacts = {}) =>
  keepJob(
    redis(),
    followedJob({
      id,
      ...more,
      prLink: `https://github.com/acme/docs/pull/${number}`,
      pull: { number, since },
    }),
  )

/** Stores two open pull requests of Ada's, followed since Friday, 2026-11-20, 12:00 UTC. */
async function withTwo() {
  const h = await afterTheLink(redis())
  push(h.github, { number: 8 })
  await withPull(ONE, 7, h.clock.now)
  await withPull(TWO, 8, h.clock.now)
  await h.passPulls()
  return h
}
type Two = Awaited<ReturnType<typeof withTwo>>

/**
 * Moves the clock to this time, waking as the worker does whenever somebody is due.
 * @returns the pull requests that each message so far named
 */
async function until(h: Two, moment: string) {
  for (const end = Date.parse(moment); h.clock.now < end; ) {
    const next = Number((await redis().zrange(REMINDERS, "0", "0", "WITHSCORES"))[1] ?? end)
    h.clock.now = Math.min(end, Math.max(h.clock.now, Math.ceil(next)))
    while ((await h.passReminders()) === 0);
    if (next >= end) h.clock.now = end
  }
  return h.told.map(({ pulls }) => pulls.toSorted().join())
}

const stateOf = (id: string, state: "active" | "ended") =>
  redis().hset(jobKeys.record(id), "state", state)

/** Makes Slack do this at each message to a person, before it takes it. */
function atEachMessage({ context: { slack } }: Two, does: (n: number) => unknown) {
  const { direct } = slack.outbound
  let n = 0
  slack.outbound.direct = async (...said) => {
    n += 1
    await does(n)
    return direct(...said)
  }
  return () => n
}

const refuse = (verdict: SlackError["verdict"]) => {
  throw new SlackError({ method: "chat.postMessage", verdict, code: "x" })
}

describe("pull requests that nobody touches", () => {
  test("PUL-7: are named in one message, on the first morning after three working days", async (h) => {
    // A later request led to the second one, too.
    await withPull(THREE, 8, h.clock.now, { at: 1 })
    await h.passPulls()
    expect(await until(h, "2026-11-26T08:00:00Z")).toEqual([])
    expect(await until(h, "2026-11-26T10:00:00Z")).toEqual(["7,8"])
  })

  test("PUL-7: are at most ten in one message, the oldest first", async (h) => {
    for (let n = 9; n < 20; n += 1) {
      push(h.github, { number: n })
      await withPull(`ccccccc${"abcdefghjkm"[n - 9]}23`, n, h.clock.now - n * 1000)
    }
    for (let pass = 0; pass < 2; pass += 1) await h.passPulls()
    await until(h, "2026-11-26T09:00:00Z")
    const oldest = Array.from({ length: 10 }, (_, n) => String(19 - n))
    expect(h.told).toEqual([{ user: "U1", pulls: oldest }])
  })

  test("PUL-7: are named to everybody that morning, also to who followed up in a colleague's", async (h) => {
    const asks = [anAsk({ user: "U2" })]
    await withPull(THREE, 8, h.clock.now + 1000, { user: "U2", asks })
    await redis().zadd(jobKeys.ofUser("U2"), 0, ONE)
    await h.passPulls()
    await until(h, "2026-11-26T16:00:00Z")
    expect(h.told.map(({ user }) => user)).toEqual(["U1", "U2"])
  })

  test("PUL-7: are named once, although Slack answers one worker only after another has named all", async (h) => {
    await until(h, "2026-11-26T08:59:59Z")
    h.clock.now += 1000
    const { slack } = h.context
    let other: Promise<number> | undefined
    slack.profileOf = async () => {
      if (!other) {
        other = h.passReminders()
        await other
      }
      return { timeZone: "UTC" }
    }
    await h.passReminders()
    expect(h.told).toEqual([{ user: "U1", pulls: expect.arrayContaining(["7", "8"]) }])
  })

  test("are not named again the next morning, but before a newer one, and after three more working days", async (h) => {
    expect(await until(h, "2026-11-30T20:00:00Z")).toHaveLength(1)
    expect(await until(h, "2026-12-01T20:00:00Z")).toHaveLength(2)
    push(h.github, { number: 9 })
    await withPull(THREE, 9, Date.UTC(2026, 10, 26))
    await h.passPulls()
    await until(h, "2026-12-02T10:00:00Z")
    expect(h.told[2]?.pulls).toEqual(["8", "7", "9"])
  })

  test.each([
    ["a review", { do: "review", state: "COMMENTED" }],
    ["a merge", { do: "merge" }],
    ["closing it", { do: "close" }],
  ] as const)("are fewer after %s", async (_, action) => {
    const h = await withTwo()
    await until(h, "2026-11-25T20:00:00Z")
    h.github.act("acme/docs", 7, action)
    await h.passPulls()
    expect(await until(h, "2026-11-26T12:00:00Z")).toEqual(["8"])
  })

  test("are nothing to who has muted them, and leave no record behind", async (h) => {
    for (const id of [ONE, TWO]) await h.jobs.change(id, ({ job }) => muted(job, "U1"))
    expect(await until(h, "2026-12-01T20:00:00Z")).toEqual([])
    expect(await redis().keys("*reminder*")).toEqual([])
  })

  test("are named although a follow-up that came to nothing was under way in the morning", async (h) => {
    for (const id of [ONE, TWO]) await stateOf(id, "active")
    expect(await until(h, "2026-11-26T10:30Z")).toEqual([])
    for (const id of [ONE, TWO]) await stateOf(id, "ended")
    expect(await until(h, "2026-11-26T12:30Z")).toHaveLength(1)
  })

  test("are named the next morning, if only another was named in the morning", async (h) => {
    await stateOf(TWO, "active")
    expect(await until(h, "2026-11-26T09:30Z")).toEqual(["7"])
    await stateOf(TWO, "ended")
    expect(await until(h, "2026-11-26T17:00Z")).toHaveLength(1)
    expect((await until(h, "2026-11-27T09:00Z"))[1]).toContain("8")
  })

  test("are asked about later while Slack does not say where somebody lives", async (h) => {
    h.context.slack.profileOf = async () => refuse("later")
    expect(await until(h, "2026-11-26T12:00:00Z")).toEqual([])
    h.context.slack.profileOf = async () => ({ timeZone: "Pacific/Auckland" })
    expect(await until(h, "2026-11-27T00:00:00Z")).toHaveLength(1)
  })
})

describe("a reminder that Slack did not take", () => {
  test.each([
    ["comes a little later", "later", 3, 4, 1],
    ["perhaps, is not repeated that morning", "unknown", 5, 1, 0],
  ] as const)("%s", async (_, verdict, times, tries, told) => {
    const h = await withTwo()
    const tried = atEachMessage(h, (n) => n <= times && refuse(verdict))
    expect(await until(h, "2026-11-26T16:00:00Z")).toHaveLength(told)
    expect(tried()).toBe(tries)
  })

  test("of a process that died is said by another", async (h) => {
    atEachMessage(h, (n) => (n === 1 ? Promise.reject(new Error("killed")) : undefined))
    await expect(until(h, "2026-11-26T16:00:00Z")).rejects.toThrow("killed")
    expect(h.told).toEqual([])
    expect(await until(h, "2026-11-26T11:00:00Z")).toHaveLength(1)
  })

  test("that another change overtakes is still noted", async (h) => {
    atEachMessage(h, () => h.jobs.change(ONE, () => ({ due: { reminders: 0 } })))
    expect(await until(h, "2026-11-26T16:00:00Z")).toHaveLength(1)
  })
})
