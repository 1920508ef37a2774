import { expect } from "vitest"
import { claimAct, onceKey } from "../../src/store/claims.ts"
import { key } from "../../src/store/redis-keys.ts"
import { OF_ADMINS, ON_JOBS, ON_ONESELF } from "../helpers/actions-on-jobs.ts"
import { ASKING } from "../helpers/actions-on-requests.ts"
import { ON_RESULTS } from "../helpers/actions-on-results.ts"
import { ON_VISITORS } from "../helpers/actions-on-visitors.ts"
import { waiting } from "../helpers/lost-replies.ts"
import { type Bed, FAST_TIMING, useTestBed } from "../helpers/test-bed.ts"
import { useFollowedPulls } from "../helpers/with-pull.ts"
import { letExpire } from "../sandbox/clock/redis-time.ts"
import { ADA, ADA_DM, BOT_USER, DOCS } from "../sandbox/slack/index.ts"

/** Times of a bot for which every answer of Slack comes too late to act before it acknowledges. */
const timing = { ...FAST_TIMING, answerWithinMs: 20 }
const { test, testBed } = useTestBed({ timing, env: { START_DELAY_SECONDS: "60" } })

/** Makes Slack answer late who somebody is and where the bot writes, and the service what it reads. */
async function lately(h: Bed) {
  await h.services.requestRedis.del(key("own", ADA, "profile"))
  const methods = ["users.info", "chat.postMessage", "conversations.open"] as const
  const late = methods.map((method) => h.slack.fail({ kind: "slow", ms: 30, method }))
  return [...late, h.docs.fail({ type: "delay", ms: 30, kind: "get" })]
}

const ALL = [...ASKING, ...ON_JOBS, ...ON_ONESELF, ...OF_ADMINS, ...ON_VISITORS, ...ON_RESULTS]
const actionsOf = (names: RegExp) => ALL.filter(({ of }) => of.some((one) => names.test(one)))
/** Slack sends these again until they are acknowledged, so the bot may take its time. */
const EVENTS = actionsOf(/^(app_mention|message)$/)
/** All that changes something. The rest only shows something, also after the acknowledgement. */
const CHANGES = actionsOf(
  /^(\/docs-agent|form:|run_|forget_|resume|drop_|allow_|visitors:(subscribe|alert|feedback))|cancel|mute|share|results/,
).filter((one) => !EVENTS.includes(one))

/** Names of the actions that turn something off at the first try and on at the second. */
const TURNS = /^visitors:|results/

test.each([
  ["an event", timing, EVENTS],
  ["a click, a command or a form", FAST_TIMING, CHANGES],
])(
  "SAFE-1, SAFE-9: what %s asks for is done once Slack hears that it was heard, and not again",
  async (_, timing, actions) => {
    const env = { ADMIN_USERS: ADA, START_DELAY_SECONDS: "60" }
    const h = await testBed({ timing, env, goesOn: "requests wait" })
    for (const { name, of, prepare } of actions)
      for (const n of of.some((one) => TURNS.test(one)) ? [1, 2] : [1]) {
        const { act, count } = await prepare(h, n)
        const late = await lately(h)
        await act()
        expect([name, Number(await count())]).toEqual([name, 1])
        await h.slack.redeliver()
        expect([name, Number(await count())]).toEqual([name, 1])
        for (const one of late) one.clear()
      }
  },
)

test.each([
  ["a click", DOCS],
  ["a command in the direct message", ADA_DM],
])("SAFE-9: who hears of %s before it is done hears that it takes long", async (_, channel) => {
  const h = await testBed()
  const { card } = await waiting(h, "write the guide")
  await h.services.requestRedis.del(key("own", ADA, "profile"))
  const held = h.slack.hold("users.info")
  if (channel === DOCS) await h.slack.as(ADA).click(card, "cancel")
  else await h.slack.as(ADA).slash(channel, "/docs-agent", "cancel")
  const told = () => [...h.slack.ephemerals(ADA), ...h.direct(ADA)]
  // A process that dies from now on says nothing more.
  expect(told().map(({ text }) => text)).toEqual([expect.stringMatching(/longer than usual/)])
  expect((await h.jobOf()).state).toBe("queued")
  held.release()
  await h.botSays(/Cancelled/, { channel })
})

const { withReview } = useFollowedPulls()

test("SAFE-9: Address the review is done once Slack hears that it was heard", async () => {
  const { h, address } = await withReview()
  await lately(h)
  await address()
  expect((await h.jobOf()).pull?.review?.state).toBe("addressed")
  await h.botSays(/Updated/)
})

test("SAFE-9: Look for a pull request is done once Slack hears that it was heard", async () => {
  const plan = { ending: "no_pull_request", afterMs: 0 } as const
  const h = await testBed({ timing: FAST_TIMING, env: { START_DELAY_SECONDS: "0" }, plan })
  await h.slack.as(ADA).slash(DOCS, "/docs-agent", "write the guide")
  const reply = await h.closingReply()
  await lately(h)
  h.docs.setPrLink(h.docs.creations[0]?.jobId ?? "", "https://github.com/acme/docs/pull/9")
  await h.slack.as(ADA).click(reply, "look_again")
  expect((await h.jobOf()).rounds.at(-1)?.again?.how).toBe("look")
  await h.botSays(/request is ready/)
})

test("a word that could not be done is not acknowledged, and counts when Slack sends it again", async (h) => {
  const redis = h.services.requestRedis
  await h.slack.as(ADA).mention(DOCS, "fix typos")
  await h.toldPrivately(ADA, /fix typos/)
  const asked = key("own", ADA, "asked", DOCS)
  const draft = (await redis.get(asked)) ?? ""
  await redis.del(asked)
  await redis.hset(asked, "not", "readable")
  const { deliveries } = await h.slack.as(ADA).mention(DOCS, "yes")
  expect(deliveries).toMatchObject([{ status: 500 }])
  await redis.set(asked, draft)
  expect(await h.slack.redeliver()).toMatchObject({ ok: true })
  expect(await h.services.work.jobs.ofUser(ADA)).toHaveLength(1)
  await h.botSays(/Starting in a moment/)
})

test("a word whose process died in the middle counts again half a minute later, once", async (h) => {
  const { root } = await waiting(h, "write the guide")
  const event = { type: "app_mention", user: ADA, channel: DOCS, text: `<@${BOT_USER}> cancel` }
  const ts = `${Math.floor(Date.now() / 1000)}.000100`
  await claimAct(h.services.front.store, onceKey(`word:${DOCS}:${ts}.act`), 60_000)
  const send = () => h.slack.sendEvent({ ...event, ts, thread_ts: root.ts })
  expect(await send()).toMatchObject({ ok: false, status: 500 })
  expect((await h.jobOf()).state).toBe("queued")
  await letExpire(h.services.requestRedis, 30_000)
  expect(await send()).toMatchObject({ ok: true })
  expect((await h.jobOf()).state).toBe("ended")
  await send()
  // Said once, though Slack delivered the word three times.
  const said = h.slack.ephemerals(ADA).map(({ text }) => text)
  expect(said).toEqual([expect.stringMatching(/^Cancelled: .*write the guide/)])
})
