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

async function working() {
  const h = await afterTheLink(redis())
  await keepJob(redis(), followedJob({ id: "one", state: "active", at: 1 }), ["sessions"])
  const said: [string, string | undefined][] = []
  const off: string[] = []
  const slack = { answer: () => {} }
  const setSession: Outbound["setSession"] = async (_, status, { title }) => {
    said.push([status, title])
    slack.answer()
    return title
  }
  const context = {
    ...h.context,
    slack: {
      unpaced: { setSession },
      state: { isDeclared: () => false },
      places: { isInside: async () => false },
    },
  }
  const needs = {
    secrets: NO_SECRETS,
    forceStop: new AbortController().signal,
    onSurfaceOff: (code: string) => void off.push(code),
  }
  return {
    ...h,
    said,
    off,
    slack,
    context,
    /** Runs everything that is due within this many minutes. */
    async live(minutes = 0) {
      const end = h.clock.now + minutes * MINUTE_MS
      do {
        while ((await sessionPass(asContext(context), needs)) === 0);
        const schedule = jobKeys.schedule("sessions")
        const [, next = end] = await redis().zrange(schedule, "0", "0", "WITHSCORES")
        h.clock.now = Math.min(end, Math.max(h.clock.now + 1, Math.ceil(Number(next))))
      } while (h.clock.now < end)
    },
    set: (id: string, facts: Partial<Job>) =>
      h.jobs.change(id, () => ({ set: facts, due: { sessions: 0 } })),
  }
}

const refuse =
  (code: string, verdict: SlackError["verdict"] = "give_up") =>
  () => {
    throw new SlackError({ method: "agents.sessions.setStatus", verdict, code })
  }

describe("a thread", () => {
  test("is at work while any of its jobs is, and at rest when all are over", async (h) => {
    await h.live()
    expect(h.said).toEqual([["processing", "fix the quickstart"]])
    const below = { id: "two", card: "2.1", thread: "1.000001", at: 2 }
    await keepJob(redis(), followedJob({ ...below, state: "queued" }), ["sessions"])
    await h.set("one", { state: "ended" })
    await h.live()
    expect(h.said.at(-1)?.[0]).toBe("processing")
    await h.set("two", { state: "ended" })
    await h.live()
    expect(h.said.at(-1)?.[0]).toBe("active")
    await h.live(100)
    expect(h.said.at(-1)?.[0]).toBe("active")
    await h.live(1000)
    expect(await redis().zcard(jobKeys.schedule("sessions"))).toBe(0)
  })

  test("whose job ended before Slack heard of it is a session at rest", async (h) => {
    await h.set("one", { state: "ended" })
    await h.live(100)
    expect(h.said).toEqual([["active", "fix the quickstart"]])
  })

  test("without a card is none", async (h) => {
    await h.jobs.change("one", () => ({ set: { thread: "1.000001", card: undefined } }))
    await h.live()
    expect(h.said).toEqual([])
  })

  test("is shown as working once more before Slack ends that by itself", async (h) => {
    await h.live(59)
    expect(h.said.length).toBe(2)
  })

  test("a thread that changed during the call is shown as it is next", async (h) => {
    const { setSession } = h.context.slack.unpaced
    h.context.slack.unpaced.setSession = async (...said) => {
      if (h.said.length === 0) await h.set("one", { state: "ended" })
      return setSession(...said)
    }
    await h.live()
    expect(h.said.map(([status]) => status)).toEqual(["processing", "active"])
  })

  test("of a process that died in the call is told again", async (h) => {
    await h.live()
    await h.set("one", { state: "ended" })
    h.slack.answer = () => {
      throw new Error("killed")
    }
    await expect(h.live()).rejects.toThrow("killed")
    h.slack.answer = () => {}
    await h.live(2)
    expect(h.said.map(([status]) => status)).toEqual(["processing", "active", "active"])
  })
})

describe("a Slack that does not offer it", () => {
  test.each(["missing_scope", "unknown_method", "method_not_supported_here"])(
    "with %s, is asked once",
    async (code) => {
      const h = await working()
      h.slack.answer = refuse(code)
      await h.live()
      await h.set("one", { state: "ended" })
      await h.live()
      expect([h.said.length, h.off]).toEqual([1, [code]])
    },
  )

  test("a Slack that keeps failing is asked less and less often, until it must have ended the session itself", async (h) => {
    h.slack.answer = refuse("internal_error", "unknown")
    await h.set("one", { state: "ended", rounds: [aRound({ endedAt: h.clock.now })] })
    await h.live(30)
    const { length } = h.said
    expect(length).toBeLessThan(20)
    await h.live(60)
    const { length: last } = h.said
    expect(last).toBeGreaterThan(length)
    await h.live(1000)
    expect(h.said).toHaveLength(last)
  })
})
