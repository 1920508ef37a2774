import { describe, expect, test } from "vitest"
import { onceKey, takeTurnToAct } from "../../src/store/claims.ts"
import { key } from "../../src/store/redis-keys.ts"
import { botSays, toldPrivately } from "../helpers/reading.ts"
import { useTestBed } from "../helpers/test-bed.ts"
import { letExpire } from "../sandbox/clock/redis-time.ts"
import { ADA, BOT_USER, DOCS } from "../sandbox/slack/seed/ids.ts"

const testBed = useTestBed({ env: { START_DELAY_SECONDS: "60" } })
type TestBed = Awaited<ReturnType<typeof testBed>>

async function waiting(h: TestBed) {
  const root = await h.slack.as(ADA).mention(DOCS, "write the guide")
  await botSays(h, /Starting in a moment/, { thread: root.ts })
  const jobs = () => h.services.work.jobs.ofUser(ADA, 10)
  const say = (words: string) => h.slack.as(ADA).mention(DOCS, words, { thread: root.ts })
  return { root, jobs, say }
}

/** Makes Slack answer late who somebody is, which the bot asks before it acts on a word. */
async function knownLate(h: TestBed) {
  await h.services.requestRedis.del(key("own", ADA, "profile"))
  h.slack.fail({ kind: "slow", ms: 100, method: "users.info" })
}

describe("SAFE-9: a word in a mention is done once Slack hears that it was heard", () => {
  test("cancel", async () => {
    const h = await testBed()
    const { jobs, say } = await waiting(h)
    await knownLate(h)
    await say("cancel")
    expect((await jobs())[0]?.job.state).toBe("ended")
  })

  test("mute", async () => {
    const h = await testBed()
    const { jobs, say } = await waiting(h)
    await knownLate(h)
    await say("mute")
    expect((await jobs())[0]?.job.muted).toEqual([ADA])
  })

  test("yes", async () => {
    const h = await testBed()
    await h.slack.as(ADA).mention(DOCS, "fix typos")
    await toldPrivately(h, ADA, /fix typos/)
    await knownLate(h)
    await h.slack.as(ADA).mention(DOCS, "yes")
    expect(await h.services.work.jobs.ofUser(ADA, 10)).toHaveLength(1)
    await botSays(h, /Starting in a moment/)
  })
})

test("a word that could not be done is not acknowledged, and counts when Slack sends it again", async () => {
  const h = await testBed()
  const redis = h.services.requestRedis
  await h.slack.as(ADA).mention(DOCS, "fix typos")
  await toldPrivately(h, ADA, /fix typos/)
  const asked = key("own", ADA, "asked", DOCS)
  const draft = (await redis.get(asked)) ?? ""
  await redis.del(asked)
  await redis.hset(asked, "not", "readable")
  const { deliveries } = await h.slack.as(ADA).mention(DOCS, "yes")
  expect(deliveries).toMatchObject([{ status: 500 }])
  await redis.set(asked, draft)
  expect(await h.slack.redeliver()).toMatchObject({ ok: true })
  expect(await h.services.work.jobs.ofUser(ADA, 10)).toHaveLength(1)
  await botSays(h, /Starting in a moment/)
})

test("a word whose process died in the middle counts again half a minute later, once", async () => {
  const h = await testBed()
  const { root, jobs } = await waiting(h)
  const event = { type: "app_mention", user: ADA, channel: DOCS, text: `<@${BOT_USER}> cancel` }
  const ts = `${Math.floor(Date.now() / 1000)}.000100`
  await takeTurnToAct(h.services.front.store, onceKey(`word:${DOCS}:${ts}.act`), 60_000)
  const send = () => h.slack.sendEvent({ ...event, ts, thread_ts: root.ts })
  expect(await send()).toMatchObject({ ok: false, status: 500 })
  expect((await jobs())[0]?.job.state).toBe("queued")
  await letExpire(h.services.requestRedis, 30_000)
  expect(await send()).toMatchObject({ ok: true })
  expect((await jobs())[0]?.job.state).toBe("ended")
  await send()
  // Said once, though Slack delivered the word three times.
  const said = h.slack.ephemerals(ADA).map(({ text }) => text)
  expect(said).toEqual([expect.stringMatching(/^Cancelled: .*write the guide/)])
})
