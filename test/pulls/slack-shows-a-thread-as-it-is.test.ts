import { describe, expect } from "vitest"
import { sessionPass } from "../../src/following/agent-session.ts"
import type { Job } from "../../src/jobs/job.ts"
import { jobKeys } from "../../src/jobs/job-keys.ts"
import { NO_SECRETS } from "../../src/lib/secrets.ts"
import { SlackError } from "../../src/slack/slack-error.ts"
import type { Outbound } from "../../src/slack/write-to-slack.ts"
import { afterTheLink } from "../helpers/after-the-link.ts"
import { aRound, followedJob, keepJob } from "../helpers/job.ts"
import { useRedis } from "../helpers/redis.ts"
import { testIn } from "../helpers/test-bed.ts"
import { asContext } from "../helpers/waiting.ts"

const redis = useRedis()
const test = testIn(working)
const MINUTE_MS = 60_000
const SCHEDULE = jobKeys.schedule("sessions")

/** Sets up a job that runs, and Slack, which does as `answer` at each status that it is told. */
async function working() {
  const { context, clock, jobs } = await afterTheLink(redis())
  await keepJob(redis(), followedJob({ id: "one", state: "active", at: 1 }), ["sessions"])
  const h = {
    clock,
    said: [] as string[],
    off: [] as string[],
    answer: async (): Promise<unknown> => undefined,
    set: (id: string, facts: Partial<Job>) =>
      jobs.change(id, () => ({ set: facts, due: { sessions: 0 } })),
    /** Runs everything that is due within this many minutes. */
    async live(minutes = 0) {
      const end = clock.now + minutes * MINUTE_MS
      do {
        while ((await sessionPass(asContext(asked), needs)) === 0);
        const [, next = end] = await redis().zrange(SCHEDULE, "0", "0", "WITHSCORES")
        clock.now = Math.min(end, Math.max(clock.now + 1, Math.ceil(Number(next))))
      } while (clock.now < end)
    },
  }
  const setSession: Outbound["setSession"] = async (_, status, { title }) => {
    h.said.push(`${status}: ${title}`)
    await h.answer()
    return title
  }
  const slack = {
    unpaced: { setSession },
    state: { isDeclared: () => false },
    places: { isInside: async () => false },
  }
  const asked = { ...context, slack }
  const forceStop = new AbortController().signal
  const needs = { secrets: NO_SECRETS, forceStop, onSurfaceOff: (of: string) => h.off.push(of) }
  return h
}

const AT_WORK = "processing: fix the quickstart"
const AT_REST = "active: fix the quickstart"
const ENDED = { state: "ended" } as const

const refuse = (code: string, verdict: SlackError["verdict"]) => async () => {
  throw new SlackError({ method: "agents.sessions.setStatus", verdict, code })
}

describe("a thread", () => {
  test("is at work while any of its jobs is, and at rest when all are over", async (h) => {
    await h.live()
    expect(h.said).toEqual([AT_WORK])
    const below = { id: "two", card: "2.1", thread: "1.000001", at: 2 }
    await keepJob(redis(), followedJob({ ...below, state: "queued" }), ["sessions"])
    for (const [id, status] of [["one", AT_WORK] as const, ["two", AT_REST] as const]) {
      await h.set(id, ENDED)
      await h.live()
      expect(h.said.at(-1)).toBe(status)
    }
    await h.live(1000)
    expect(h.said.at(-1)).toBe(AT_REST)
    expect(await redis().zcard(SCHEDULE)).toBe(0)
  })

  test("without a card is none", async (h) => {
    await h.set("one", { thread: "1.000001", card: undefined })
    await h.live()
    expect(h.said).toEqual([])
  })

  test("is shown as working once more before Slack ends that by itself", async (h) => {
    await h.live(59)
    expect(h.said).toEqual([AT_WORK, AT_WORK])
  })
})

describe("a Slack that does not offer it", () => {
  test.each([
    ["missing_scope", ["missing_scope"]],
    ["unknown_method", ["unknown_method"]],
    ["method_not_supported_here", ["method_not_supported_here"]],
    ["invalid_arguments", []],
  ])("with %s, is asked once, or once for this thread: %j", async (code, off) => {
    const h = await working()
    h.answer = refuse(code, "give_up")
    await h.live(1000)
    expect([h.said, h.off]).toEqual([[AT_WORK], off])
    await h.set("one", ENDED)
    await h.live()
    expect(h.off).toEqual(off)
  })

  test("a Slack that keeps failing is asked less and less often, until it must have ended the session itself", async (h) => {
    h.answer = refuse("internal_error", "unknown")
    await h.set("one", { ...ENDED, rounds: [aRound({ endedAt: h.clock.now })] })
    const counts: number[] = []
    for (const minutes of [30, 60, 1000]) {
      await h.live(minutes)
      counts.push(h.said.length)
    }
    const [first = 0, then, last] = counts
    expect(first).toBeLessThan(20)
    expect(then).toBeGreaterThan(first)
    expect(last).toBe(then)
  })
})
