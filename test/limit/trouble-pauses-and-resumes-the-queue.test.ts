import { describe, expect } from "vitest"
import { readConfig } from "../../src/config/config.ts"
import { checkQueues } from "../../src/operating/doctor/run-doctor.ts"
import { ask, askUntil } from "../helpers/asked.ts"
import { readyz } from "../helpers/of-itself.ts"
import { dumpRedis } from "../helpers/redis-dump.ts"
import { joined, restarted } from "../helpers/restarted.ts"
import { FAST_TIMING, READY, UNENDING, useTestBed } from "../helpers/test-bed.ts"
import { queueFacts } from "../helpers/waiting.ts"
import { letExpire } from "../sandbox/clock/redis-time.ts"
import { ADA, BEN, buttonsOf, CLEO, DOCS, type Message } from "../sandbox/slack/index.ts"
import { SECRETS } from "../sandbox/test-bed.ts"

const { test, testBed } = useTestBed({ plan: READY, env: { ADMIN_USERS: `${CLEO},${BEN}` } })

describe("LIM-10, LIM-11: the service answers 401", () => {
  const says = /Paused until .* replaces the API key/

  test("the queue pauses, each admin hears it once, also in a week, Resume goes on, nothing is lost or doubled", async (h) => {
    const broken = h.docs.fail({ type: "expired_key", kind: "create" })
    await askUntil(h, "first in line", says)
    await ask(h, "second in line")
    await h.slack.until(() => h.direct(CLEO).length > 0 && h.direct(BEN).length > 0)
    await h.slack.until(() => h.botMessages().filter((m) => says.test(m.text)).length === 2)
    expect(h.docs.creations).toHaveLength(0)

    await letExpire(h.services.workerRedis, 7 * 86_400_000)
    await h.bot.worker?.passes.notices?.()
    expect([...h.direct(CLEO), ...h.direct(BEN)]).toHaveLength(2)
    broken.clear()
    const notice = await h.slack.until(() => h.direct(CLEO)[0])
    expect(buttonsOf(notice)).toEqual(["resume"])
    expect(notice.text).toMatch(/requests are paused/)
    await h.slack.as(CLEO).click(notice, "resume")

    await h.docsUntil((docs) => docs.creations.length === 2)
    const isReady = ({ threadTs, text }: Message) => threadTs && /request is ready/.test(text)
    await h.slack.until(() => h.botMessages().filter(isReady).length === 2)
    expect(h.docs.creations.map(({ prompt }) => prompt)).toEqual([
      "first in line",
      "second in line",
    ])
    await h.bot.worker?.passes.notices?.()
    expect(h.direct(BEN)).toHaveLength(1)
  })

  test("a restart with the same key, which is stored nowhere, pauses on; another key resumes it, without any admin", async () => {
    const env = { DOCS_API_KEY: "svc_old_key", ADMIN_USERS: "" }
    const h = await testBed({ env })
    await askUntil(h, "waits for a key", says)
    const same = await restarted(h, { env })
    const { limiter, front } = same.services
    const create = () => Promise.reject(new Error("nothing should be created"))
    const result = await limiter.slots.next(front.settings.projects.keys[0] ?? "", create)
    expect(result).toEqual({ waitMs: 60_000 })
    expect((await queueFacts(same.services)).pause?.reason).toBe("key_refused")
    expect(h.docs.requests.filter(({ kind }) => kind === "create")).toHaveLength(1)
    expect(await dumpRedis(h.services.workerRedis)).not.toContain("svc_old_key")
    await same[Symbol.asyncDispose]()
    await using _again = await joined(h, { env: { DOCS_API_KEY: SECRETS.apiKey } })
    expect((await h.closingReply()).text).toMatch(/pull request is ready/)
    expect(h.docs.creations).toHaveLength(1)
  })

  test("a read that was refused as well and is accepted again resumes it", async () => {
    const h = await testBed({ env: { ADMIN_USERS: "" } })
    const broken = h.docs.fail({ type: "expired_key" })
    await askUntil(h, "waits for the service", says)
    await h.docsUntil(({ requests }) => requests.some(({ kind }) => kind === "get"))
    broken.clear()
    expect((await h.closingReply()).text).toMatch(/pull request is ready/)
  })

  test.each(["create", "message"] as const)(
    "who resumes it while it still refuses to %s hears of it again, and what waits is counted, and sent in the end",
    async (kind) => {
      const h = await testBed()
      const root = await h.slack.as(ADA).mention(DOCS, "write the guide")
      await h.botSays(/request is ready/, { thread: root.ts })
      const broken = h.docs.fail({ type: "expired_key", kind })
      const where = kind === "message" ? { thread: root.ts } : {}
      await h.slack.as(ADA).mention(DOCS, "make it a bit shorter", where)
      const notice = await h.slack.until(() => h.direct(CLEO)[0])
      expect(notice.text).toContain("1 request is waiting; nothing is lost")
      const before = broken.hits
      await h.slack.as(CLEO).click(notice, "resume")
      await expect.poll(() => broken.hits).toBeGreaterThan(before)
      const again = await h.slack.until(() => h.direct(CLEO)[1])
      expect(again.text).toMatch(/are paused/)
      broken.clear()
      await h.slack.as(CLEO).click(again, "resume")
      if (kind === "create") await h.docsUntil(({ creations }) => creations.length === 2)
      else await h.docsUntil(({ jobs }) => jobs("docs-site")[0]?.messages.length === 1)
    },
  )
})

describe("LIM-10: the service answers 403", () => {
  test("to one request alone, also run again, that one ends with a word, and nobody else is held back", async (h) => {
    h.docs.fail({ type: "forbidden", kind: "create", times: 2 })
    const says = /^<@U0ADA00001> Rejected by the documentation service/
    await h.slack.as(ADA).click(await askUntil(h, "first in line", says), "run_again")
    await h.slack.until(() => h.botMessages().filter(({ text }) => says.test(text))[1])
    await askUntil(h, "second in line", /Your pull request is ready/)
    expect(h.direct(CLEO)).toEqual([])
  })

  test("to every follow-up, as where a plan has no messages, each is a new job and nothing pauses", async (h) => {
    h.docs.fail({ type: "forbidden", kind: "message" })
    for (const words of ["write the guide", "fix the quickstart"]) {
      const { ts: thread } = await h.slack.as(ADA).mention(DOCS, words)
      await h.botSays(/request is ready/, { thread })
      const { length } = h.docs.creations
      await h.slack.as(ADA).mention(DOCS, `${words}, but shorter`, { thread })
      await h.docsUntil((docs) => docs.creations.length === length + 1)
      expect(h.docs.creations.at(-1)?.prompt).toContain(`> ${words}`)
    }
    expect(h.direct(CLEO)).toEqual([])
  })

  test("to two different requests in a row, of one thread, the queue pauses, and Resume goes on with the second", async (h) => {
    const broken = h.docs.fail({ type: "forbidden", kind: "create" })
    const { ts: thread } = await h.slack.as(ADA).mention(DOCS, "first in line")
    await h.botSays(/Rejected by the documentation service/, { thread })
    await h.slack.as(ADA).mention(DOCS, "second in line", { thread })
    await h.botSays(/Paused until .* fixes the API key's permissions/, { thread })
    const notice = await h.slack.until(() => h.direct(CLEO)[0])
    const reads = () => h.docs.requests.filter(({ kind }) => kind === "get").length
    // A key that may only read: what is read ends no pause.
    await h.docsUntil(() => reads() >= 3)
    expect((await queueFacts(h.services)).pause?.reason).toBe("forbidden")
    const anotherKey = readConfig({ ...h.env, DOCS_API_KEY: "svc_another_key" })
    expect(await checkQueues(anotherKey, h.services.requestRedis)).toEqual([])
    await h.slack.as(CLEO).slash(DOCS, "/docs-agent", "doctor")
    await h.toldPrivately(
      CLEO,
      /1 problem[\s\S]*Docs requests are paused\. .*\(403\).*\n.*main\.js resume/,
    )

    broken.clear()
    await h.slack.as(CLEO).click(notice, "resume")
    await h.botSays(/Your pull request is ready/)
    expect(h.docs.creations.map(({ prompt }) => prompt)).toEqual(["second in line"])
  })
})

test("with no admin to tell, /readyz says what to do and stays ready, until it is done", async () => {
  const h = await testBed({ env: { ADMIN_USERS: "" }, plan: UNENDING })
  const well = { status: 200, text: '{"ready":true,"reasons":{}}', notices: [] }
  expect(await readyz(h.bot)).toEqual(well)
  h.docs.fail({ type: "expired_key", kind: "create", times: 1 })
  await askUntil(h, "nobody to tell", /Paused until an admin replaces the API key/)

  const notice = expect.stringMatching(/rejected this project's API key.*\(401\).*DOCS_API_KEY/)
  const stillReady = expect.stringContaining('"ready":true')
  expect(await readyz(h.bot)).toEqual({ status: 200, text: stillReady, notices: [notice] })

  await h.resumeAll()
  await h.botSays(/Working on it/)
  expect(await readyz(h.bot)).toEqual(well)
})

test("LIM-9: a 429 from elsewhere pauses the queue, tells the waiting once, and goes on by itself", async (h) => {
  h.docs.fail({ type: "rate_limited", kind: "create", times: 1, retryAfter: 1 })
  const card = await askUntil(h, "wait your turn", /Waiting for the hourly limit/)
  await h.docsUntil((docs) => docs.creations.length === 1)
  await h.botSays(/request is ready/)
  const edits = h.slack.calls.filter(({ args }) => args.ts === card.ts)
  const told = edits.filter(({ args }) => /Waiting for the hourly/.test(JSON.stringify(args.text)))
  expect(told).toHaveLength(1)
  expect(h.direct(CLEO)).toEqual([])
})

test("a service that is down takes nothing from the queue, and is asked again", async (h) => {
  await h.docs.close()
  await askUntil(h, "needs some patience", /documentation service isn't responding/)
  const { slots, waiting, pause } = await queueFacts(h.services)
  expect(slots).toEqual([])
  expect(waiting).toHaveLength(1)
  expect(pause?.reason).toBe("outage")
})

test("an outage with unclear answers does not burn the queue", async () => {
  // Outlasts the test: after the pause one more request goes first, as a test.
  const pauses = { firstMs: 600_000, outageFirstMs: 600_000, longestMs: 600_000 }
  const h = await testBed({ timing: { ...FAST_TIMING, pauses } })
  h.docs.fail({ type: "status", status: 500, kind: "create" })
  for (const n of [1, 2, 3, 4]) await ask(h, `do not burn ${n}`)
  await h.botSays(/Couldn't confirm/)
  await h.botSays(/documentation service isn't responding/)
  expect((await queueFacts(h.services)).waiting).toHaveLength(3)
  for (const n of [2, 3, 4]) await h.botSays(new RegExp(`do not burn ${n}`))
})
