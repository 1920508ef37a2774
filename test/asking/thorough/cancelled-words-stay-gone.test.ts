import { expect, test } from "vitest"
import { jobKeys } from "../../../src/jobs/job-keys.ts"
import { forgetMe } from "../../helpers/forget-me.ts"
import { gate } from "../../helpers/gate.ts"
import { botMessages } from "../../helpers/reading.ts"
import { dumpRedis } from "../../helpers/redis-dump.ts"
import { useTestBed } from "../../helpers/test-bed.ts"
import { ADA, BEN, DOCS } from "../../sandbox/slack/index.ts"

const { testBed } = useTestBed()
const CANARY = "canary of ada"
const SLOW_MS = 1500

/** Mentions the bot in a thread that Slack is slow to return. Resolves during that call. */
async function mentionInSlowThread() {
  const h = await testBed()
  const asked = gate()
  h.slack.fail({
    method: "conversations.replies",
    kind: "slow",
    ms: SLOW_MS,
    matching: () => {
      asked.open()
      return true
    },
  })
  const root = await h.slack.as(BEN).post(DOCS, "the talk")
  await h.slack.as(ADA).mention(DOCS, CANARY, { thread: root.ts })
  await asked.opened
  const [found] = await h.services.front.jobs.ofUser(ADA, 1)
  if (!found) throw new Error("nothing was queued")
  return { ...h, job: found.job }
}

/** Resolves when the outbox is empty. */
async function delivered(h: Awaited<ReturnType<typeof mentionInSlowThread>>) {
  const left = () => h.services.workerRedis.zcard(jobKeys.schedule("outbox"))
  await expect.poll(left).toBe(0)
  expect(h.docs.creations).toEqual([])
}

test("what was cancelled and forgotten while its thread was read does not come back", async () => {
  const h = await mentionInSlowThread()
  await h.slack.as(ADA).slash(DOCS, "/docs-agent", `cancel ${h.job.id}`)
  await forgetMe(h.slack, ADA)

  await delivered(h)

  expect(await dumpRedis(h.services.workerRedis)).not.toContain(CANARY)
  expect(botMessages(h.slack).filter(({ text }) => text.includes(CANARY))).toEqual([])
})

test("what was cancelled while its thread was read is kept no longer than other cancelled words", async () => {
  const h = await mentionInSlowThread()
  await h.slack.as(ADA).slash(DOCS, "/docs-agent", `cancel ${h.job.id}`)
  const words = jobKeys.words(h.job.rounds[0]?.asks[0]?.id ?? "")
  const keptMs = await h.services.workerRedis.pttl(words)

  await delivered(h)

  const left = await h.services.workerRedis.pttl(words)
  expect(left).toBeGreaterThan(0)
  expect(left).toBeLessThanOrEqual(keptMs)
})
