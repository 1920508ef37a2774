import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { examineFromInside } from "../../../src/doctor/examine.ts"
import { runDoctor } from "../../../src/doctor/run.ts"
import { samples } from "../../../src/services/samples.ts"
import { SCOPES } from "../../../src/slack/scopes.ts"
import { startRawService } from "../../helpers/raw-service.ts"
import { toldPrivately } from "../../helpers/reading.ts"
import { startTestRedis, type TestRedis } from "../../helpers/redis.ts"
import { FAST_TIMING, useTestBed } from "../../helpers/test-bed.ts"
import { ADA, BEN, CLEO, DOCS, EDITORS, GUS, LEADS, RANDOM } from "../../sandbox/slack/seed/ids.ts"
import { SECRETS } from "../../sandbox/test-bed.ts"

const testBed = useTestBed({ env: { ADMIN_USERS: CLEO } })

describe("from the command line", () => {
  const own: { redis?: TestRedis } = {}
  beforeAll(async () => {
    own.redis = await startTestRedis()
  })
  afterAll(() => own.redis?.stop())

  /** The doctor beside a running bot, with some settings spoilt. */
  async function doctor(
    h: { env: Record<string, string> },
    env: Record<string, string | undefined> = {},
  ) {
    const base = { REDIS_URL: own.redis?.url, ADMIN_USERS: CLEO, ...h.env }
    return runDoctor({ env: { ...base, ...env }, node: "24.1.0", json: false, samples: samples() })
  }

  test("all well: no fault, and the bot may start", async () => {
    const { output, well } = await doctor(await testBed())
    expect(output).toMatch(/ok +slack token +SLACK_BOT_TOKEN belongs to bot/)
    expect(output).toMatch(/ok +slack scopes/)
    expect(output).toMatch(/ok +project +The service knows project docs-site/)
    expect(output).toMatch(/\n(Everything works\.|Working, with .*warnings?\.)\n$/)
    expect(well).toBe(true)
  })

  test.each([
    ["no Redis", { REDIS_URL: "redis://127.0.0.1:1" }, /fault +redis +Redis isn't responding/],
    [
      "a Redis Cluster that cannot be reached",
      { REDIS_URL: "redis://127.0.0.1:1,redis://127.0.0.1:2" },
      /fault +redis +Redis isn't responding \(Connection is closed/,
    ],
    [
      "a wrong bot token",
      { SLACK_BOT_TOKEN: "xoxb-wrong" },
      /fault +slack token +Slack rejected SLACK_BOT_TOKEN \(invalid_auth\)/,
    ],
    ["a wrong key", { DOCS_API_KEY: "svc_wrong" }, /fault +service key .*rejected DOCS_API_KEY/],
    ["a wrong project", { DOCS_PROJECT_ID: "nope" }, /fault +project .*doesn't know project nope/],
    [
      "another address for the service",
      { DOCS_API_URL: "http://127.0.0.1:1" },
      /fault +service key .*isn't responding: ECONNREFUSED/,
    ],
    [
      "an unknown admin",
      { ADMIN_USERS: "U0NOBODY01" },
      /fault +admins .*U0NOBODY01 isn't in this workspace/,
    ],
    [
      "channels without the bot",
      { ALLOWED_CHANNELS: `${DOCS},${EDITORS},${RANDOM}` },
      /fault +channels +ALLOWED_CHANNELS: the bot isn't in C0RANDOM01/,
    ],
    [
      "a private channel without the bot",
      { ALLOWED_CHANNELS: LEADS },
      /fault +channels .*C0LEADS001 doesn't exist, or is private/,
    ],
    [
      "a name for an admin",
      { ADMIN_USERS: "@cleo" },
      /fault +admins +ADMIN_USERS: @cleo can't be a Slack ID/,
    ],
    [
      "a name for a channel",
      { ALLOWED_CHANNELS: "#docs" },
      /fault +channels +ALLOWED_CHANNELS: #docs can't be a channel ID/,
    ],
    [
      "a list of people that lets nobody in",
      { ALLOWED_USERS: `${GUS},U0NOBODY01,ada` },
      /fault +people +ALLOWED_USERS lets nobody in: \w+ is a guest .*, U0NOBODY01 isn't in this workspace, ada can't be a Slack ID/,
    ],
    ["an address of another machine", { PORT: "65000", BIND_ADDRESS: "192.0.2.1" }, /fault +port/],
    ["a broken environment", { PORT: "many" }, /fault +environment +PORT must be/],
  ])("%s is the one fault", async (_, env, line) => {
    const h = await testBed()
    const { output, well } = await doctor(h, env)
    expect(output).toMatch(line)
    expect(output).toMatch(/\nOne thing needs fixing/)
    expect(well).toBe(false)
    expect(h.docs.creations).toHaveLength(0)
  })

  test("each of several projects is tried, and so is the bot's place in its channels", async () => {
    const ids = ["docs-site", "second-site"]
    const h = await testBed({ docs: { projects: ids.map((id) => ({ id, key: SECRETS.apiKey })) } })
    const list = [{ name: "second", id: "second-site", key: "svc_wrong", channels: [RANDOM] }]
    const { output } = await doctor(h, { DOCS_PROJECTS: JSON.stringify(list) })
    expect(output).toMatch(/fault +channels +DOCS_PROJECTS: the bot isn't in C0RANDOM01/)
    expect(output).toMatch(/fault +service key .*rejected the key of project second/)
    expect(output).toMatch(/ok +project +The service knows 1 of 2 projects/)
    expect(output).not.toContain("svc_wrong")
  })

  test("a missing scope is named with what it is for", async () => {
    const h = await testBed()
    h.slack.setScopes(Object.keys(SCOPES).filter((scope) => scope !== "users:read"))
    const { output } = await doctor(h)
    expect(output).toMatch(/fault +slack scopes +The token lacks users:read \(to tell members/)
  })

  test("Slack is shown one of each kind of message, and nothing is posted", async () => {
    const h = await testBed()
    const { output } = await doctor(h)
    const all = samples().length
    expect(output).toContain(`Slack accepts ${all} of ${all} kinds of message`)
    const shown = h.slack.calls.filter(({ method }) => method === "blocks.validate")
    expect(shown).toHaveLength(all)
    expect(h.slack.calls.filter(({ method }) => /^(chat|views)\./.test(method))).toEqual([])
  })

  test("what Slack refuses is told with its place and code", async () => {
    const h = await testBed({ slack: { refuse: { charts: true } } })
    const { output, well } = await doctor(h)
    expect(output).toMatch(
      /warning +slack blocks +Slack accepts \d+ of \d+ kinds of message; visitor report with a chart: \/blocks\/\d\/type unsupported_type\n/,
    )
    expect(well).toBe(true)
  })

  test("a Slack that does not know the method is no fault, and one that has enough no riddle", async () => {
    const h = await testBed({ slack: { unknownMethods: ["blocks.validate"] } })
    const { output, well } = await doctor(h)
    expect(output).toMatch(/ok +slack blocks +Slack can't check messages in advance here/)
    expect(well).toBe(true)
    const busy = await testBed()
    const limit = { kind: "rate_limited", method: "blocks.validate" } as const
    busy.slack.fail(limit)
    expect((await doctor(busy)).output).toMatch(/warning +slack blocks .*\(ratelimited\)/)
  })

  test("a list of people with somebody who may ask is worth a look where others may not", async () => {
    const { output, well } = await doctor(await testBed(), { ALLOWED_USERS: `${ADA},${GUS}` })
    expect(output).toMatch(/warning +people +ALLOWED_USERS: U0GUS00001 is a guest/)
    expect(well).toBe(true)
    const all = await doctor(await testBed(), { ALLOWED_USERS: `${ADA},${BEN}` })
    expect(all.output).toMatch(/ok +people +ALLOWED_USERS: 2 found/)
  })

  test("a folder for our own redis-server that cannot be written is named in full", async () => {
    const env = { REDIS_URL: undefined, DATA_DIR: "/dev/null/data" }
    const { output, well } = await doctor(await testBed(), env)
    expect(output).toMatch(
      /fault +data folder +DATA_DIR \/dev\/null\/data isn't writable \(ENOTDIR\)/,
    )
    expect(well).toBe(false)
  })

  test("a port may be the bot's own, and is nobody else's", async () => {
    const h = await testBed()
    const { output } = await doctor(h, { PORT: String(h.bot.port) })
    expect(output).toMatch(/ok +port +Port \d+ is in use by a running bot/)
    await using other = await startRawService()
    const taken = await doctor(h, { PORT: new URL(other.url).port })
    expect(taken.output).toMatch(/fault +port +Port \d+ is taken by another program/)
    expect(taken.well).toBe(false)
  })

  test("Socket Mode asks for a connection and opens none", async () => {
    // The bot's own second socket must not open meanwhile.
    const timing = { ...FAST_TIMING, socketsApartMs: 3_600_000 }
    const h = await testBed({ mode: "socket", timing })
    const open = h.slack.sockets.open
    expect((await doctor(h)).output).toMatch(/ok +slack intake +Socket Mode/)
    expect((await doctor(h, { SLACK_APP_TOKEN: "xapp-wrong" })).output).toMatch(
      /fault +slack intake .*\(invalid_auth\)/,
    )
    expect(h.slack.sockets.open).toBe(open)
  })

  test("it reads what Slack may be shown, never a message", async () => {
    const h = await testBed()
    await doctor(h, { ALLOWED_CHANNELS: DOCS })
    const reads = h.slack.calls.filter(({ method }) => method === "conversations.history")
    expect(reads.map(({ args }) => args)).toMatchObject([{ channel: DOCS, latest: "1" }])
  })

  test("no secret is printed, whatever is wrong", async () => {
    const h = await testBed()
    h.docs.fail({ type: "status", status: 403, body: "echo_authorization" })
    const { output } = await doctor(h, { REDIS_URL: "redis://user:hunter2@127.0.0.1:1" })
    for (const secret of [...Object.values(SECRETS), "hunter2"].filter((s) => s !== "docs-site"))
      expect(output).not.toContain(secret)
    expect(output).toContain("[secret]")
  })
})

describe("in Slack", () => {
  test("an admin is answered at once, and then told what was found", async () => {
    const h = await testBed()
    const asked = await h.slack.as(CLEO).slash(DOCS, "/docs-agent", "doctor")
    expect(asked.shown?.text).toMatch(/^Checking/)
    const told = await toldPrivately(h, CLEO, /Everything works|Working, with/)
    expect(JSON.stringify(told.blocks)).toContain("Slack last reached the bot a minute ago")
    expect(h.slack.channel(DOCS).all()).toEqual([])
  })

  test("what is wrong comes first, with the next step", async () => {
    const h = await testBed()
    h.docs.fail({ type: "expired_key" })
    await h.slack.as(CLEO).slash(DOCS, "/docs-agent", "doctor")
    const told = await toldPrivately(h, CLEO, /fixing/)
    expect(told.text).toMatch(/rejected DOCS_API_KEY \(401\): .*\n.*Create a new admin key/)
  })

  test.each([ADA, BEN])("%s, who is no admin, is refused politely", async (user) => {
    const h = await testBed()
    const asked = await h.slack.as(user).slash(DOCS, "/docs-agent", "doctor")
    expect(asked.shown?.text).toMatch(/Only an admin can do that/)
    expect(h.docs.requests).toHaveLength(0)
    expect(h.docs.creations).toHaveLength(0)
  })

  test("it answers also where nobody may ask, and when Slack does not say who asks", async () => {
    const h = await testBed({ env: { ALLOWED_CHANNELS: EDITORS } })
    h.slack.setScopes(Object.keys(SCOPES).filter((scope) => scope !== "users:read"))
    await h.slack.as(CLEO).slash(DOCS, "/docs-agent", "doctor")
    const told = await toldPrivately(h, CLEO, /fixing/)
    expect(told.text).toMatch(/lacks users:read/)
  })

  test("the word is a command only when it stands alone", async () => {
    const h = await testBed()
    h.docs.planAll({ ending: "never", afterMs: 0 })
    const asked = await h.slack.as(CLEO).slash(DOCS, "/docs-agent", "doctor the install page")
    expect(asked.shown).toBeUndefined()
  })

  test("a signature of another secret is noticed", async () => {
    const h = await testBed()
    await fetch(`http://127.0.0.1:${h.bot.port}/slack/events`, {
      method: "POST",
      headers: { "x-slack-signature": "v0=00", "x-slack-request-timestamp": "1" },
      body: "{}",
    })
    const intake = (await examineFromInside({ ...h.services, samples: [] })).find(
      (f) => f.check === "slack intake",
    )
    expect(intake?.level).toBe("warning")
    expect(intake?.says).toMatch(/was not signed with SLACK_SIGNING_SECRET/)
  })
})
