import { once } from "node:events"
import { type IncomingMessage, request } from "node:http"
import fc from "fast-check"
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest"
import { FRAGMENTS } from "../../helpers/hostile.ts"
import { readyz } from "../../helpers/of-itself.ts"
import { holds } from "../../helpers/property.ts"
import type { ReadingBed } from "../../helpers/reading.ts"
import { useTestRedis } from "../../helpers/redis.ts"
import {
  anyBody,
  brokenBodies,
  type Delivery,
  deliverOneOfEach,
  encode,
  FORM,
  fillText,
  JSON_TYPE,
} from "../../helpers/slack-bodies.ts"
import { bedAt } from "../../helpers/test-bed.ts"
import { ADA, DOCS } from "../../sandbox/slack/index.ts"
import type { TestBed } from "../../sandbox/test-bed.ts"

const SIGNATURE = "x-slack-signature"
const STAMP = "x-slack-request-timestamp"

const redis = useTestRedis()
let testBed: ReadingBed
/** Deliveries as Slack sent them, one of each kind. */
let samples: Delivery[]
/** Ids of the jobs of accepted requests, from the log. */
const accepted = new Set<string>()
/** Fields that the log named in payloads that were not in Slack's format. */
const faulty: string[] = []

beforeAll(async () => {
  testBed = await bedAt(redis().url, {
    env: { MAX_QUEUED_PER_USER: "10000", LOG_LEVEL: "info" },
    log: {
      write(line: string) {
        const { msg, job, field } = JSON.parse(line)
        if (field) faulty.push(field)
        if (msg === "request accepted") accepted.add(job)
      },
    },
  })
  samples = await deliverOneOfEach(testBed)
})
afterAll(async () => {
  await testBed[Symbol.asyncDispose]()
})

const send = (body: string, type: string, { headers = {}, ...options }: SendOptions = {}) =>
  testBed.slack.deliver(body, { ...options, headers: { "content-type": type, ...headers } })
type SendOptions = NonNullable<Parameters<TestBed["slack"]["deliver"]>[1]>

/** Sends the head of a request. Resolves to the answer, and the request to go on with. */
async function sendHead(headers: Record<string, string>, body: readonly string[] = []) {
  const options = { port: testBed.bot.port, method: "POST", path: "/slack/events", headers }
  const sent = request(options).on("error", () => {})
  sent.flushHeaders()
  for (const part of body) sent.write(part)
  const [answer] = (await once(sent, "response")) as [IncomingMessage]
  sent.destroy()
  return answer
}

/**
 * Maximum CPU time in ms for one delivery, including the local services. Unlike wall-clock time, it
 * doesn't depend on the machine's other work.
 */
const BUSY_MS = 200
/** Length of each text in a payload; together they reach about the maximum body size. */
const LENGTH = 20_000

function mentionAt(ts: string): object {
  const event = { type: "app_mention", user: ADA, channel: DOCS, ts, text: "hi there" }
  return { type: "event_callback", event }
}

const creations = () => testBed.docs.creations.length

describe("requests that Slack did not sign", () => {
  test.each<[string, SendOptions]>([
    ["not signed", { sign: false }],
    ["signed with another secret", { sign: "wrong" }],
    ["signed six minutes ago", { timestampOffsetMs: -361_000 }],
    ["signed for six minutes from now", { timestampOffsetMs: 361_000 }],
    ["signed for tomorrow", { timestampOffsetMs: 86_400_000 }],
    ["signed soon", { headers: { [STAMP]: "soon" } }],
    ["signed at half a second", { headers: { [STAMP]: "1795169100.5" } }],
    ["signed at a power of ten", { headers: { [STAMP]: "1e9" } }],
    ["signed at a hexadecimal time", { headers: { [STAMP]: "0x6AFF" } }],
    ["signed at no time", { headers: { [STAMP]: "" } }],
    ["signed too shortly", { headers: { [SIGNATURE]: "v0=ab12" } }],
    ["signed in another version", { headers: { [SIGNATURE]: "v1=ab12" } }],
  ])("%s: every kind is refused", async (_, options) => {
    const before = creations()
    for (const { kind, payload } of samples) {
      const { body, type } = encode(kind, payload)
      expect(await send(body, type, options)).toMatchObject({ status: 401 })
    }
    expect(creations()).toBe(before)
  })

  test("a signed event without its time is refused, and the log names the field", async () => {
    const event = { type: "app_mention", user: ADA, channel: DOCS, text: "hi there" }
    const body = JSON.stringify({ type: "event_callback", event })
    expect(await send(body, JSON_TYPE)).toMatchObject({ status: 400 })
    expect(faulty).toContain("event.ts")
  })

  test("a signature of any other body is refused", async () => {
    await holds(
      fc.asyncProperty(anyBody, async ({ body, type }) => {
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

  test("a body of no announced length is read no further than Slack's may go", async () => {
    const { "content-length": _, ...headers } = another(0)
    const mebibyte = "x".repeat(1024 * 1024)
    expect((await sendHead(headers, [mebibyte, mebibyte])).statusCode).toBe(413)
  })
})

test("Slack's check of the address is answered with its challenge", async () => {
  const challenge = "3eZbrw1aBm2rZgRNFdxV2595E9CY3gmdALWMmHkvFXO7tYXAYM8P"
  const answer = await send(JSON.stringify({ type: "url_verification", challenge }), JSON_TYPE)
  expect(answer).toMatchObject({ status: 200, body: { challenge } })
})

const form = { "content-type": FORM }
const half = { "content-length": "100" }
const unsigned = { [SIGNATURE]: `v0=${"0".repeat(64)}` }
/** Returns the head of a request with another signature, of so many seconds ago. */
const another = (seconds: number) => ({
  ...half,
  ...unsigned,
  [STAMP]: String(Math.floor(Date.now() / 1000) - seconds),
})

test.each<[string, number, () => Record<string, string>]>([
  ["without a signature", 401, () => half],
  ["longer than a certificate check", 401, () => ({ ...form, "content-length": "2000" })],
  ["a form of unknown length", 401, () => ({ ...form, "transfer-encoding": "chunked" })],
  ["with an old moment", 401, () => another(301)],
  ["without a moment", 401, () => ({ ...half, ...unsigned })],
  ["longer than payloads", 413, () => ({ ...another(0), "content-length": "1100000" })],
])(
  "what shows in the head of a request is answered before its body comes: %s",
  async (_, status, headers) => {
    const answer = await sendHead(headers())
    expect(answer.statusCode).toBe(status)
    expect(answer.headers.connection).toBe("close")
  },
)

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

  test("2,000 of Slack's own payloads with parts missing or replaced, and others, break nothing, and lose no request", async () => {
    const bodies = fc.oneof({ weight: 13, arbitrary: brokenBodies(() => samples) }, anyBody)
    await holds(
      fc.asyncProperty(bodies, async ({ body, type }) => {
        expect([200, 400, 404]).toContain((await send(body, type)).status)
      }),
      2150,
    )
    const { jobs } = testBed.services.front
    const kept = await Promise.all([...accepted].map(async (id) => (await jobs.find(id))?.job.id))
    expect(accepted.size).toBeGreaterThan(20 * inject("propertyRuns"))
    expect(kept).toEqual([...accepted])
  }, 600_000)

  test("nothing that Slack could deliver keeps the event loop busy for long", async () => {
    const slow: string[] = []
    for (const sample of samples)
      for (const fragment of FRAGMENTS) {
        let ms = await busyMs(sample, fragment.repeat(LENGTH).slice(0, LENGTH))
        // A garbage collection happens once; text that is slow to read is slow each time.
        for (let less = 1; ms > BUSY_MS && less <= 2; less += 1) {
          const text = fragment.repeat(LENGTH).slice(0, LENGTH - less)
          ms = Math.min(ms, await busyMs(sample, text))
        }
        if (ms > BUSY_MS) slow.push(`${sample.kind} ${fragment}: ${Math.round(ms)} ms`)
      }
    expect(slow).toEqual([])
  })

  test("the bot is as well as before", async () => {
    expect((await readyz(testBed.bot)).status).toBe(200)
    const asked = await testBed.slack.as(ADA).slash(DOCS, "/docs-agent", "are you still there?")
    expect(asked.shown).toBeUndefined()
  })
})

/** Measures CPU time in ms of the whole process for one delivery. */
async function busyMs({ kind, payload }: Delivery, text: string): Promise<number> {
  const copy = structuredClone(payload)
  fillText(copy, text)
  const { body, type } = encode(kind, copy)
  const before = process.cpuUsage()
  expect([200, 400, 404, 413]).toContain((await send(body, type)).status)
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}
