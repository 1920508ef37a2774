import { describe, expect } from "vitest"
import { claimAct, onceKey } from "../../src/store/claims.ts"
import { key } from "../../src/store/redis-keys.ts"
import { askedToForget, CANARY, kept, withWords } from "../helpers/forget-me.ts"
import { botMessages, botSays, closingReply, direct, toldPrivately } from "../helpers/reading.ts"
import { type Bed, FAST_TIMING, READY, useTestBed } from "../helpers/test-bed.ts"
import { useFollowedPulls } from "../helpers/with-pull.ts"
import { letExpire } from "../sandbox/clock/redis-time.ts"
import { ADA, ADA_DM, BOT_USER, DOCS, RANDOM } from "../sandbox/slack/index.ts"

/** Times of a bot for which every answer of Slack comes too late to act before it acknowledges. */
const timing = { ...FAST_TIMING, answerWithinMs: 20 }
const { test, testBed } = useTestBed({ timing, env: { START_DELAY_SECONDS: "60" } })

async function waiting(h: Bed) {
  const root = await h.slack.as(ADA).mention(DOCS, "write the guide")
  await botSays(h, /Starting in a moment/, { thread: root.ts })
  const jobs = () => h.services.work.jobs.ofUser(ADA)
  const say = (words: string) => h.slack.as(ADA).mention(DOCS, words, { thread: root.ts })
  return { root, jobs, say }
}

/** Makes Slack answer late who somebody is, which the bot asks before it acts on a word. */
async function knownLate(h: Bed) {
  await h.services.requestRedis.del(key("own", ADA, "profile"))
  h.slack.fail({ kind: "slow", ms: 100, method: "users.info" })
}

describe("SAFE-9: a word in a mention is done once Slack hears that it was heard", () => {
  test.each([
    ["mute", { state: "queued", muted: [ADA] }],
    ["cancel", { state: "ended" }],
  ])("%s", async (word, done) => {
    const h = await testBed()
    const { jobs, say } = await waiting(h)
    await knownLate(h)
    await say(word)
    expect((await jobs())[0]?.job).toMatchObject(done)
  })

  test("yes", async (h) => {
    await h.slack.as(ADA).mention(DOCS, "fix typos")
    await toldPrivately(h, ADA, /fix typos/)
    await knownLate(h)
    await h.slack.as(ADA).mention(DOCS, "yes")
    expect(await h.services.work.jobs.ofUser(ADA)).toHaveLength(1)
    await botSays(h, /Starting in a moment/)
  })
})

test.each([
  ["a click", DOCS],
  ["a command in the direct message", ADA_DM],
])("SAFE-9: who hears of %s before it is done hears that it takes long", async (_, channel) => {
  const h = await testBed()
  const { root, jobs } = await waiting(h)
  const card = await botSays(h, /Starting in a moment/, { thread: root.ts })
  await h.services.requestRedis.del(key("own", ADA, "profile"))
  const held = h.slack.hold("users.info")
  if (channel === DOCS) await h.slack.as(ADA).click(card, "cancel")
  else await h.slack.as(ADA).slash(channel, "/docs-agent", "cancel")
  const told = () => [...h.slack.ephemerals(ADA), ...direct(h, ADA)]
  // A process that dies from now on says nothing more.
  expect(told().map(({ text }) => text)).toEqual([expect.stringMatching(/longer than usual/)])
  expect((await jobs())[0]?.job.state).toBe("queued")
  held.release()
  await botSays(h, /Cancelled/, { channel })
})

/** Makes Slack answer late where the bot writes, and the service where it is asked about a job. */
function lately(h: Bed) {
  for (const method of ["chat.postMessage", "conversations.open"] as const)
    h.slack.fail({ kind: "slow", ms: 100, method })
  h.docs.fail({ type: "delay", ms: 100, kind: "get" })
}

const { testBed: started } = useTestBed({ env: { ADMIN_USERS: ADA, START_DELAY_SECONDS: "0" } })
const { withPull } = useFollowedPulls()
const said = (h: Bed, words: RegExp) => botMessages(h.slack).some(({ text }) => words.test(text))

describe("SAFE-9: a click is done once Slack hears that it was heard", () => {
  test("Run it in a direct message", async () => {
    const h = await started()
    h.docs.planAll(READY)
    await h.slack.as(ADA).slash(RANDOM, "/docs-agent", "write the guide here")
    const refused = await toldPrivately(h, ADA, /can't post/)
    lately(h)
    await h.slack.as(ADA).click(refused, "run_in_direct")
    expect(await h.services.work.jobs.ofUser(ADA)).toHaveLength(2)
    await botSays(h, /request is ready/, { channel: ADA_DM })
  })

  test("Address the review", async () => {
    const { h, act } = await withPull()
    await act({ do: "review", by: "ben", state: "CHANGES_REQUESTED", body: "Say which version." })
    const post = await botSays(h, /> Changes requested by ben/)
    await h.slack.as(ADA).click(post, "address_review")
    const [found] = await h.services.work.jobs.ofUser(ADA)
    expect(found?.job.pull?.review?.state).toBe("addressed")
    await botSays(h, /Updated/)
  })

  test("Look for a pull request", async () => {
    const h = await started()
    h.docs.planAll({ ending: "no_pull_request", afterMs: 0 })
    await h.slack.as(ADA).slash(DOCS, "/docs-agent", "write the guide")
    const reply = await closingReply(h)
    lately(h)
    h.docs.setPrLink(h.docs.creations[0]?.jobId ?? "", "https://github.com/acme/docs/pull/9")
    await h.slack.as(ADA).click(reply, "look_again")
    const [found] = await h.services.work.jobs.ofUser(ADA)
    expect(found?.job.rounds.at(-1)?.again?.how).toBe("look")
    await botSays(h, /request is ready/)
  })

  test("Delete, of forget-me", async () => {
    const h = await withWords(started)
    const question = await askedToForget(h.slack, ADA)
    await h.slack.as(ADA).click(question, "forget_me")
    expect(await kept(h), CANARY).toBe(false)
  })

  test("Share in channel", async () => {
    const h = await started()
    await h.slack.as(ADA).slash(DOCS, "/docs-agent", "report today")
    const report = await toldPrivately(h, ADA, /No requests/)
    lately(h)
    await h.slack.as(ADA).click(report, "share_outcomes")
    expect(said(h, /No requests/)).toBe(true)
    await h.slack.as(ADA).slash(DOCS, "/docs-visitors", "7d")
    const visitors = await toldPrivately(h, ADA, /^Docs visitors/)
    await h.slack.as(ADA).click(visitors, "visitors_share")
    expect(said(h, /^Docs visitors/)).toBe(true)
  })
})

test.each([
  ["/docs-agent", "results on", "results off"],
  ["/docs-visitors", "subscribe daily", "unsubscribe daily"],
  ["/docs-visitors", "alert on", "alert off"],
  ["/docs-visitors", "feedback on", "feedback off"],
])(
  "SAFE-9: %s %s, and off, has told its channel once Slack hears that it was heard",
  async (...of) => {
    const h = await started()
    lately(h)
    const [command, ...turns] = of
    for (const words of turns) await h.slack.as(ADA).slash(DOCS, command, words)
    const posts = botMessages(h.slack).map(({ text }) => /turned o[nf]+/.exec(text)?.[0])
    expect(posts).toEqual(["turned on", "turned off"])
  },
)

test("a word that could not be done is not acknowledged, and counts when Slack sends it again", async (h) => {
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
  expect(await h.services.work.jobs.ofUser(ADA)).toHaveLength(1)
  await botSays(h, /Starting in a moment/)
})

test("a word whose process died in the middle counts again half a minute later, once", async (h) => {
  const { root, jobs } = await waiting(h)
  const event = { type: "app_mention", user: ADA, channel: DOCS, text: `<@${BOT_USER}> cancel` }
  const ts = `${Math.floor(Date.now() / 1000)}.000100`
  await claimAct(h.services.front.store, onceKey(`word:${DOCS}:${ts}.act`), 60_000)
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
