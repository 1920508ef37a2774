import { once } from "node:events"
import { type IncomingMessage, request } from "node:http"
import fc from "fast-check"
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest"
import { secret } from "../../../src/lib/secret.ts"
import { FRAGMENTS, hostileText } from "../../helpers/hostile.ts"
import { holds } from "../../helpers/property.ts"
import { botSays, docsUntil } from "../../helpers/reading.ts"
import { startTestRedis, type TestRedis } from "../../helpers/redis.ts"
import { FAST_ENV, FAST_TIMING } from "../../helpers/test-bed.ts"
import type { JsonObject } from "../../sandbox/kit/json.ts"
import { ADA, type DeliveryRecord, DOCS } from "../../sandbox/slack/index.ts"
import { startTestBed, type TestBed } from "../../sandbox/test-bed.ts"

const FORM = "application/x-www-form-urlencoded"
const JSON_TYPE = "application/json"
const SIGNATURE = "x-slack-signature"
const STAMP = "x-slack-request-timestamp"

let redis: TestRedis
let testBed: TestBed
/** Deliveries as Slack sent them, one of each kind. */
let samples: DeliveryRecord["delivery"][]
const unhandled: unknown[] = []
/** Ids of the jobs of accepted requests, from the log. */
const accepted = new Set<string>()
const note = (error: unknown) => void unhandled.push(error)

beforeAll(async () => {
  process.on("unhandledRejection", note)
  redis = await startTestRedis()
  testBed = await startTestBed({
    address: { kind: "server", url: secret(redis.url) },
    env: { ...FAST_ENV, MAX_QUEUED_PER_USER: "10000", LOG_LEVEL: "info" },
    timing: FAST_TIMING,
    log: {
      write(line: string) {
        const { msg, job } = JSON.parse(line)
        if (msg === "request accepted") accepted.add(job)
      },
    },
  })
  samples = await deliverOneOfEach(testBed)
})
afterAll(async () => {
  await testBed[Symbol.asyncDispose]()
  await redis.stop()
  process.off("unhandledRejection", note)
})

async function deliverOneOfEach({ slack, docs }: TestBed): Promise<DeliveryRecord["delivery"][]> {
  docs.planAll({ ending: "never", afterMs: 0 })
  const ada = slack.as(ADA)
  await ada.slash(DOCS, "/docs-agent", "a command of Slack's")
  const card = await botSays({ slack }, /Working on it/)
  await ada.mention(DOCS, "a mention of Slack's")
  await ada.directMessage("a direct message of Slack's")
  await ada.openHome()
  await ada.slash(DOCS, "/docs-visitors", "7d")
  await ada.click(card, "mute")
  await ada.shortcut({ channel: DOCS, ts: card.ts }, "ask_docs_agent")
  await slack.until((s) => s.modal(ADA))
  await ada.submitModal({ prompt: "a form of Slack's" })
  await docsUntil({ docs }, ({ creations }) => creations.length === 3)
  await ada.globalShortcut("ask_docs_agent_global")
  const delivered = slack.deliveries.map(({ delivery }) => delivery)
  // Kinds that Slack sends without being asked, or to other apps.
  const unasked = delivered.flatMap((one) => {
    const { type } = one.payload
    const others = type === "view_submission" ? ["view_closed"] : []
    return others.map((other) => ({ ...one, payload: { ...one.payload, type: other } }))
  })
  return [...delivered, ...unasked]
}

/** Encodes a body as Slack does for this kind of delivery. */
function encode(kind: string, payload: unknown): { body: string; type: string } {
  if (kind === "events_api") return { body: JSON.stringify(payload), type: JSON_TYPE }
  const fields =
    kind === "interactive"
      ? { payload: JSON.stringify(payload) }
      : Object.fromEntries(Object.entries(payload ?? {}).map(([k, v]) => [k, asField(v)]))
  return { body: new URLSearchParams(fields).toString(), type: FORM }
}

function asField(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value)
}

const send = (body: string, type: string, options: object = {}) =>
  testBed.slack.deliver(body, { ...options, headers: { "content-type": type } })

const junk = fc.oneof(
  hostileText,
  fc.constantFrom(null, true, 0, -1, 1e308, "", [], {}, [[]], { __proto__: null }),
  fc.json({ maxDepth: 3 }).map((text) => JSON.parse(text) as unknown),
)

/** Returns the payload as a different request, with its own text and delivery id. */
function anew(payload: JsonObject, n: number): JsonObject {
  const { event, text, trigger_id } = payload
  const ts = `${1_800_000_000 + n}.000100`
  return {
    ...payload,
    ...(trigger_id === undefined ? {} : { trigger_id: `${n}.1.a` }),
    ...(typeof text === "string" ? { text: `${text} ${n}` } : {}),
    ...(event ? { event: { ...(event as JsonObject), ts, text: `fix the guide, part ${n}` } } : {}),
  }
}

/** Generates Slack payloads with parts removed or replaced. */
const broken = fc
  .record({
    sample: fc.nat({ max: 1000 }),
    changes: fc.array(
      fc.record({ at: fc.array(fc.nat({ max: 40 }), { minLength: 1, maxLength: 6 }), junk }),
      { minLength: 1, maxLength: 4 },
    ),
    drop: fc.boolean(),
    n: fc.nat(),
  })
  .map(({ sample, changes, drop, n }) => {
    const { kind, payload } = samples[sample % samples.length] ?? { kind: "", payload: {} }
    const copy = anew(structuredClone(payload), n)
    for (const { at, junk } of changes) change(copy, at, drop ? undefined : structuredClone(junk))
    return encode(kind, copy)
  })

/** Follows a path of positions as far as it exists, and changes the value there. */
function change(node: JsonObject, [at = 0, ...rest]: number[], value: unknown): void {
  const names = Object.keys(node)
  const name = names[at % Math.max(1, names.length)]
  if (name === undefined) return
  const child = node[name]
  if (rest.length > 0 && typeof child === "object" && child !== null)
    change(child as JsonObject, rest, value)
  else if (value === undefined) delete node[name]
  else Object.assign(node, { [name]: value })
}

const anyBody = fc.oneof(
  fc.tuple(hostileText, fc.constantFrom(FORM, JSON_TYPE, "text/plain", "")),
  fc.json().map((text) => [text, JSON_TYPE] as const),
  fc
    .array(
      fc.tuple(
        fc.constantFrom("payload", "command", "text", "user_id", "team_id") as fc.Arbitrary<string>,
        hostileText,
      ),
    )
    .map((pairs) => [new URLSearchParams(pairs).toString(), FORM] as const),
)

/**
 * Maximum CPU time in ms for one delivery, including the local services. Unlike wall-clock time, it
 * doesn't depend on the machine's other work.
 */
const BUSY_MS = 200
/** Length of each text in a payload; together they reach about the maximum body size. */
const LENGTH = 20_000

/** Puts a text in each place of the payload that has text from a person. */
function fillText(node: JsonObject, text: string): void {
  for (const [name, child] of Object.entries(node)) {
    if (typeof child === "object" && child !== null) fillText(child as JsonObject, text)
    else if (name === "text" || name === "value") Object.assign(node, { [name]: text })
  }
}

function mentionAt(ts: string): object {
  const event = { type: "app_mention", user: ADA, channel: DOCS, ts, text: "hi there" }
  return { type: "event_callback", event }
}

const creations = () => testBed.docs.creations.length

describe("requests that Slack did not sign", () => {
  test.each([
    ["not signed", { sign: false }],
    ["signed with another secret", { sign: "wrong" }],
    ["signed six minutes ago", { timestampOffsetMs: -361_000 }],
    ["signed for six minutes from now", { timestampOffsetMs: 361_000 }],
    ["signed for tomorrow", { timestampOffsetMs: 86_400_000 }],
  ] as const)("%s: every kind is refused", async (_, options) => {
    const before = creations()
    for (const { kind, payload } of samples) {
      const { body, type } = encode(kind, payload)
      expect(await send(body, type, options)).toMatchObject({ status: 401 })
    }
    expect(creations()).toBe(before)
  })

  test.each([
    [STAMP, "soon"],
    [STAMP, "1795169100.5"],
    [STAMP, "1e9"],
    [STAMP, "0x6AFF"],
    [STAMP, ""],
    [SIGNATURE, "v0=ab12"],
    [SIGNATURE, "v1=ab12"],
  ])("%s: %s is refused", async (name, value) => {
    const headers = { "content-type": JSON_TYPE, [name]: value }
    const answer = await testBed.slack.deliver("{}", { headers })
    expect(answer.status).toBe(401)
  })

  test("a signature of any other body is refused", async () => {
    await holds(
      fc.asyncProperty(anyBody, async ([body, type]) => {
        fc.pre(!/(^|&)ssl_check=1(&|$)/.test(body))
        expect((await send(body, type, { sign: "wrong" })).status).toBe(401)
      }),
      100,
    )
  })

  test("a certificate check is answered, and what it carries is not read", async () => {
    const before = creations()
    const { body } = encode("slash_commands", samples[0]?.payload)
    expect((await send(`${body}&ssl_check=1`, FORM, { sign: false })).status).toBe(200)
    expect(creations()).toBe(before)
  })

  test("a body larger than Slack's is refused in words", async () => {
    expect(await send("x".repeat(2 * 1024 * 1024), JSON_TYPE)).toMatchObject({ status: 413 })
  })
})

const half = { "content-length": "100" }
const another = () => ({ ...half, [SIGNATURE]: `v0=${"0".repeat(64)}` })
const secondsAgo = (seconds: number) => String(Math.floor(Date.now() / 1000) - seconds)

describe("what shows in the head of a request is answered before its body comes", () => {
  test.each<[string, number, () => Record<string, string>]>([
    ["without a signature", 401, () => half],
    [
      "a form that is longer than a certificate check",
      401,
      () => ({ "content-type": FORM, "content-length": "2000" }),
    ],
    [
      "a form of no announced length",
      401,
      () => ({ "content-type": FORM, "transfer-encoding": "chunked" }),
    ],
    ["with an old moment", 401, () => ({ ...another(), [STAMP]: secondsAgo(301) })],
    ["without a moment", 401, another],
    [
      "longer than Slack's payloads",
      413,
      () => ({ ...another(), [STAMP]: secondsAgo(0), "content-length": "1100000" }),
    ],
  ])("%s", async (_, status, headers) => {
    const { port } = testBed.bot
    const options = { port, method: "POST", path: "/slack/events", headers: headers() }
    const sent = request(options).on("error", () => {})
    sent.flushHeaders()
    const [answer] = (await once(sent, "response")) as [IncomingMessage]
    expect(answer.statusCode).toBe(status)
    expect(answer.headers.connection).toBe("close")
    sent.destroy()
  })
})

describe("requests that Slack signed, with anything in them", () => {
  test.each([
    ["no JSON", "{"],
    ["a message that no id can name", JSON.stringify(mentionAt("\ud800"))],
  ])("are refused: %s", async (_, body) => {
    expect(await send(body, JSON_TYPE)).toMatchObject({ status: 400 })
  })

  test("are taken when they are four minutes old", async () => {
    const { kind, payload } = samples[0] ?? { kind: "", payload: {} }
    const { body, type } = encode(kind, payload)
    const old = { timestampOffsetMs: -240_000 }
    expect(await send(body, type, old)).toMatchObject({ status: 200 })
  })

  test("are understood or refused, and break nothing", async () => {
    await holds(
      fc.asyncProperty(anyBody, async ([body, type]) => {
        expect([200, 400, 404]).toContain((await send(body, type)).status)
      }),
      150,
    )
    expect(unhandled).toEqual([])
  })

  test("2,000 of Slack's own payloads with parts missing or replaced break nothing, and lose no request", async () => {
    await holds(
      fc.asyncProperty(broken, async ({ body, type }) => {
        expect([200, 400, 404]).toContain((await send(body, type)).status)
      }),
      2000,
    )
    expect(unhandled).toEqual([])
    const { jobs } = testBed.services.front
    const kept = await Promise.all([...accepted].map(async (id) => (await jobs.find(id))?.job.id))
    expect(accepted.size).toBeGreaterThan(20 * inject("propertyRuns"))
    expect(kept).toEqual([...accepted])
  }, 600_000)

  test("nothing that Slack could deliver keeps the event loop busy for long", async () => {
    const slow: string[] = []
    for (const { kind, payload } of samples)
      for (const fragment of FRAGMENTS) {
        let ms = await busyMs(kind, payload, fragment.repeat(LENGTH).slice(0, LENGTH))
        // A garbage collection happens once; text that is slow to read is slow each time.
        for (let less = 1; ms > BUSY_MS && less <= 2; less += 1) {
          const text = fragment.repeat(LENGTH).slice(0, LENGTH - less)
          ms = Math.min(ms, await busyMs(kind, payload, text))
        }
        if (ms > BUSY_MS) slow.push(`${kind} ${fragment}: ${Math.round(ms)} ms`)
      }
    expect(slow).toEqual([])
  })

  test("the bot is as well as before", async () => {
    const ready = await fetch(`http://127.0.0.1:${testBed.bot.port}/readyz`)
    expect(ready.status).toBe(200)
    const asked = await testBed.slack.as(ADA).slash(DOCS, "/docs-agent", "are you still there?")
    expect(asked.shown).toBeUndefined()
  })
})

/** Measures CPU time in ms of the whole process for one delivery. */
async function busyMs(
  kind: DeliveryRecord["delivery"]["kind"],
  payload: DeliveryRecord["delivery"]["payload"],
  text: string,
): Promise<number> {
  const copy = structuredClone(payload)
  fillText(copy, text)
  const { body, type } = encode(kind, copy)
  const before = process.cpuUsage()
  expect([200, 400, 404, 413]).toContain((await send(body, type)).status)
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}
