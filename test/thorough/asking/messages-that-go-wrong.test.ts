import { describe, expect, test } from "vitest"
import { botMessages, botSays, docsUntil } from "../../helpers/reading.ts"
import { useTestBed } from "../../helpers/test-bed.ts"
import type { JobPlan } from "../../sandbox/docs-service/agent-job.ts"
import { ADA, BEN, DOCS } from "../../sandbox/slack/seed/ids.ts"
import type { TestBed } from "../../sandbox/test-bed.ts"

const testBed = useTestBed()

const PLAN = { ending: "pull_request", afterMs: 20 } as const
const PAUSES = { firstMs: 200, outageFirstMs: 200, longestMs: 2_000 }

/** A thread whose first request has ended with a pull request, of which its requester was told. */
async function answered(more: Parameters<typeof testBed>[0] = {}, plan: JobPlan = PLAN) {
  const h = await testBed(more)
  h.docs.planAll(plan)
  const root = await h.slack.as(ADA).mention(DOCS, "write the guide")
  await botSays(h, /request is ready/, { thread: root.ts })
  const [creation] = h.docs.creations
  const job = h.docs.job(creation?.jobId ?? "")
  if (!job) throw new Error("The first request made no job")
  const say = (words: string, user = ADA) =>
    h.slack.as(user).mention(DOCS, words, { thread: root.ts })
  return { h, root, job, say, link: job.prLink ?? "?" }
}

const updated = (h: TestBed, count = 1) =>
  h.slack.until(
    (s) => botMessages(s).filter(({ text }) => /Updated/.test(text)).length === count || undefined,
  )

describe("messages", () => {
  test("are held back alone by a refusal for now, and go on by themselves", async () => {
    const { h, say, job } = await answered({ timing: { pauses: PAUSES } })
    h.docs.fail({ type: "rate_limited", retryAfter: { seconds: 2 }, kind: "message", times: 1 })
    await say("shorten it a bit")
    await botSays(h, /Waiting for the hourly limit/)
    await h.slack.as(BEN).slash(DOCS, "/docs-agent", "do something else")
    await docsUntil(h, (docs) => docs.creations.length === 2)
    expect(h.docs.job(job.id)?.messages).toHaveLength(0)
    await docsUntil(h, (docs) => docs.job(job.id)?.messages.length === 1)
    expect(h.docs.creations).toHaveLength(2)
  })

  test("whose answer never came are not repeated by themselves, and can be run again", async () => {
    const { h, say, job } = await answered({ timing: { pauses: PAUSES } })
    h.docs.fail({ type: "reset", when: "after", kind: "message", times: 1 })
    await say("shorten it a bit")
    const card = await botSays(h, /requested a docs change[\s\S]*Couldn't confirm/)
    expect(h.docs.job(job.id)?.messages).toHaveLength(1)
    await h.slack.as(ADA).click(card, "run_again")
    await docsUntil(h, (docs) => docs.job(job.id)?.messages.length === 2)
    expect(h.docs.creations).toHaveLength(1)
  })

  test("messages that the service refuses become a job when they are run again", async () => {
    const { h, say } = await answered()
    h.docs.fail({ type: "status", status: 400, error: "Too late", kind: "message", times: 1 })
    await say("shorten it a bit")
    const card = await botSays(h, /requested a docs change[\s\S]*Too late/)
    await h.slack.as(ADA).click(card, "run_again")
    await docsUntil(h, (docs) => docs.creations.length === 2)
    expect(h.docs.creations[1]?.prompt).toContain("> write the guide")
  })

  // The service's document leaves open how soon the job turns active, and what a message's answer says.
  test("messages that end at once are reported in the ordinary time, though the answer says nothing", async () => {
    const followUp = { ending: "pull_request", afterMs: 600 } as const
    const { h, say, job } = await answered({}, { ...PLAN, followUp })
    const empty = { status: 200, body: "empty", when: "after" } as const
    h.docs.fail({ type: "status", ...empty, kind: "message", times: 1 })
    await say("shorten it a bit")
    await docsUntil(h, (docs) => docs.job(job.id)?.messages.length === 1)
    await updated(h)
  })
})
