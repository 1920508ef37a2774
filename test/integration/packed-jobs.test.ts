import { describe, expect, test } from "vitest"
import { keys } from "../../src/redis/keys.ts"
import { forgetMe } from "../helpers/forget-me.ts"
import { packEnded } from "../helpers/packed-jobs.ts"
import { botMessages, botSays, docsUntil, toldPrivately } from "../helpers/reading.ts"
import { dumpRedis } from "../helpers/redis-dump.ts"
import { useTestBed } from "../helpers/test-bed.ts"
import type { JobPlan } from "../sandbox/docs-service/agent-job.ts"
import { ADA, BEN, DOCS } from "../sandbox/slack/seed/ids.ts"

const testBed = useTestBed({
  docs: { previewPlan: { ending: "success", queuedMs: 10, afterMs: 50 } },
})
type Bed = Awaited<ReturnType<typeof testBed>>

const redisOf = ({ services }: Bed) => services.workerRedis

/** Ada's mention, whose job has ended, said all and been packed. */
async function packed(
  plan: JobPlan = { ending: "pull_request", afterMs: 20 },
  words = "write the guide",
) {
  const h = await testBed()
  h.docs.planAll(plan)
  const root = await h.slack.as(ADA).mention(DOCS, words)
  await expect.poll(() => redisOf(h).zcard(keys.ended)).toBe(1)
  await packEnded(redisOf(h))
  expect(await redisOf(h).keys("{da}:job:*")).toEqual([])
  expect(await redisOf(h).keys("{da}:prompt:*")).toEqual([])
  const reply = botMessages(h.slack).findLast(({ threadTs }) => threadTs === root.ts)
  if (!reply) throw new Error("There is no closing reply")
  return { h, root, reply }
}

describe("a packed job", () => {
  test("is listed by status, with its words and its link", async () => {
    const { h } = await packed()
    const { shown } = await h.slack.as(ADA).slash(DOCS, "/docs-agent", "status")
    expect(JSON.stringify(shown)).toContain("write the guide")
    expect(JSON.stringify(shown)).toContain("/pull/")
  })

  test("is run again with the words it had", async () => {
    const { h, reply } = await packed({ ending: "failed", afterMs: 20 })
    await h.slack.as(ADA).click(reply, "try_again")
    await docsUntil(h, () => h.docs.creations.length === 2)
    expect(h.docs.creations[1]?.prompt).toBe(h.docs.creations[0]?.prompt)
  })

  test("is what a mention in its thread follows up", async () => {
    const { h, root } = await packed()
    await h.slack.as(BEN).mention(DOCS, "shorten it", { thread: root.ts })
    const card = await botSays(h, /shorten it/)
    expect(JSON.stringify(card.blocks)).toMatch(/Follow-up to <[^|]+\|acme\/docs#/)
    expect(h.docs.creations).toHaveLength(1)
  })

  test("tells a new job what was asked before, where it takes no message", async () => {
    const { h, root } = await packed({ ending: "archived", afterMs: 20 })
    await h.slack.as(BEN).mention(DOCS, "shorten it", { thread: root.ts })
    await docsUntil(h, () => h.docs.creations.length === 2)
    expect(h.docs.creations[1]?.prompt).toContain("> write the guide")
  })

  test("gets a preview, which its reply shows", async () => {
    const { h, reply } = await packed()
    await h.slack.as(BEN).click(reply, "build_preview")
    const ready = await botSays(h, /Preview ready/)
    expect(ready.ts).toBe(reply.ts)
    await toldOfTheFirst(h)
  })

  test("is followed again at a click, and ends once more", async () => {
    const h = await testBed()
    h.docs.planAll({ ending: "never", afterMs: 0 })
    await h.slack.as(ADA).slash(DOCS, "/docs-agent", "a long job")
    const card = await botSays(h, /Working on it/)
    await h.slack.as(ADA).select(card, "job_menu", "Stop following")
    const shown = await botSays(h, /No longer followed/)
    await expect.poll(() => redisOf(h).zcard(keys.ended)).toBe(1)
    await packEnded(redisOf(h))
    h.docs.finish(h.docs.creations[0]?.jobId ?? "", "pull_request")
    await h.slack.as(ADA).click(shown, "check_again")
    await botSays(h, /request ready/)
  })

  test("may be stopped, cancelled or told of by nobody: it has ended", async () => {
    const { h, root } = await packed()
    await h.slack.as(ADA).mention(DOCS, "cancel", { thread: root.ts })
    await toldPrivately(h, ADA, /already|ended|over|no longer/i)
  })
})

/** It is a record again, and its thread leads to it. */
async function toldOfTheFirst(h: Bed): Promise<void> {
  expect(await redisOf(h).keys("{da}:job:*")).toHaveLength(1)
  expect(await redisOf(h).keys("{da}:thread:*")).toHaveLength(1)
}

describe("who asks to be forgotten", () => {
  test("is in no pack any more; others stay", async () => {
    const { h, reply } = await packed({ ending: "failed", afterMs: 20 }, "canary of ada")
    await h.slack.as(BEN).slash(DOCS, "/docs-agent", "words of ben")
    await expect.poll(() => redisOf(h).zcard(keys.ended)).toBe(1)
    await packEnded(redisOf(h))

    await forgetMe(h.slack, ADA)

    const kept = await dumpRedis(redisOf(h))
    expect(kept).not.toContain("canary of ada")
    expect(kept).toContain("words of ben")
    await h.slack.as(ADA).click(reply, "try_again")
    await toldPrivately(h, ADA, /This job is too old/)
    expect(h.docs.creations).toHaveLength(2)
  })
})
