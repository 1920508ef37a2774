import { expect, test } from "vitest"
import { jobKeys } from "../../../src/jobs/job-keys.ts"
import { CANARY, forgetMe } from "../../helpers/forget-me.ts"
import { gate } from "../../helpers/gate.ts"
import { dumpRedis } from "../../helpers/redis-dump.ts"
import { UNENDING, useTestBed } from "../../helpers/test-bed.ts"
import { ADA, BEN, buttonsOf, CLEO, DOCS } from "../../sandbox/slack/index.ts"

const { testBed } = useTestBed()

test("the job that comes of a request on its way is followed without its words, and offers no retry with nothing", async () => {
  const h = await testBed()
  const answer = gate()
  h.docs.fail({ type: "held", until: answer.opened, kind: "create", times: 1 })
  await h.slack.as(ADA).slash(DOCS, "/docs-agent", CANARY)
  await h.untilState("creating")
  await forgetMe(h.slack, ADA)
  answer.open()
  await h.docsUntil((docs) => docs.creations.length === 1)
  const card = await h.botSays(/Working on it/)
  expect(card.text).not.toContain(CANARY)
  expect(await dumpRedis(h.services.workerRedis)).not.toContain(CANARY)
  h.finish("failed")
  expect(buttonsOf(await h.botSays(/couldn't finish/))).toEqual([])
})

test("of two people in one job the other one's words stay", async () => {
  const h = await testBed({ env: { JOBS_PER_HOUR: "1", RESERVED_SLOTS: "0" } })
  await h.slack.as(BEN).slash(DOCS, "/docs-agent", "use the whole hour")
  await h.botSays(/Working on it/)
  const { say, says } = await h.startThread("words of ben", BEN)
  await says(/next in line/)
  await say(CANARY, ADA)
  await h.botShows("follow-up is included")
  await forgetMe(h.slack, ADA)
  const kept = await dumpRedis(h.services.workerRedis)
  expect(kept).not.toContain(CANARY)
  expect(kept).toContain("words of ben")
})

test("a request that is put back when all who asked are forgotten never goes as an empty prompt", async () => {
  const h = await testBed({ env: { START_DELAY_SECONDS: "1" } })
  const answer = gate()
  h.docs.fail({ type: "held", until: answer.opened, kind: "create", times: 1 })
  const full = h.docs.fail({ type: "rate_limited", kind: "create" })
  const { say } = await h.startThread("the words of ben", BEN)
  await say(CANARY, ADA)
  await h.untilState("creating", BEN)
  expect((await h.jobOf(BEN)).rounds[0]?.asks).toHaveLength(2)
  await forgetMe(h.slack, ADA)
  await forgetMe(h.slack, BEN)
  answer.open()
  await expect.poll(async () => (await h.jobOf(BEN)).rounds[0]?.ending).toBe("cancelled")
  full.clear()
  await h.resumeAll()
  const sent = h.docs.requests.filter(({ kind }) => kind === "create")
  expect(sent).toHaveLength(1)
})

/** Ada's request has failed. */
async function failed() {
  const h = await testBed({ plan: { ending: "failed", afterMs: 0 } })
  const { say, says } = await h.startThread(CANARY)
  await says(/couldn't finish/)
  return { h, says, followUp: () => say("and add an example") }
}

test.each(["before", "after"])(
  "a follow-up ends on the card and can be run again, though the first requester is forgotten %s it",
  async (when) => {
    const { h, says, followUp } = await failed()
    h.docs.planAll(UNENDING)
    if (when === "before") await forgetMe(h.slack, ADA)
    await followUp()
    await h.docsUntil(({ creations }) => creations.length === 2)
    if (when === "after") await forgetMe(h.slack, ADA)
    h.finish("failed", 1)
    const card = await says(
      /requested a docs change[\s\S]*couldn't finish[\s\S]*Follow-up · asked by/,
    )
    await h.slack.as(BEN).click(card, "run_again")
    await h.docsUntil(({ creations }) => creations.length === 3)
    expect(h.docs.creations[2]?.prompt).toMatch(/^and add an example/)
  },
)

test("a follow-up to the request of somebody forgotten waits where the service takes it later", async () => {
  const { h, says, followUp } = await failed()
  await forgetMe(h.slack, ADA)
  const full = h.docs.fail({ type: "rate_limited", kind: "create" })
  await followUp()
  await says(/Waiting for the hourly limit/)
  full.clear()
  await h.resumeAll()
  await h.docsUntil(({ creations }) => creations.length === 2)
})

test("what was cancelled while its thread was read is kept no longer than other cancelled words, and does not come back once it is forgotten", async () => {
  const h = await testBed()
  const { workerRedis: redis } = h.services
  const reading = h.slack.hold("conversations.replies")
  const cancelled = async (user: string, words: string) => {
    const { hits } = reading
    const root = await h.slack.as(CLEO).post(DOCS, "the talk")
    await h.slack.as(user).mention(DOCS, words, { thread: root.ts })
    await expect.poll(() => reading.hits).toBe(hits + 1)
    const { id, rounds } = await h.jobOf(user)
    await h.slack.as(user).slash(DOCS, "/docs-agent", `cancel ${id}`)
    return jobKeys.words(rounds[0]?.asks[0]?.id ?? "")
  }
  await cancelled(ADA, CANARY)
  const bens = await cancelled(BEN, "words of ben")
  await forgetMe(h.slack, ADA)
  const keptMs = await redis.pttl(bens)
  reading.release()
  await h.untilDone("outbox")
  expect(h.docs.creations).toEqual([])
  expect(await dumpRedis(redis)).not.toContain(CANARY)
  expect(h.botMessages().filter(({ text }) => text.includes(CANARY))).toEqual([])
  const left = await redis.pttl(bens)
  expect(left).toBeGreaterThan(0)
  expect(left).toBeLessThanOrEqual(keptMs)
})
