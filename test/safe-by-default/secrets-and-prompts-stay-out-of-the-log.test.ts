import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { escapeText } from "../../src/lib/plain-text.ts"
import { createSecretFilter } from "../../src/lib/secrets.ts"
import { SCOPES } from "../../src/slack/scopes.ts"
import { askUntil } from "../helpers/asked.ts"
import { hostileText } from "../helpers/hostile.ts"
import { holds } from "../helpers/property.ts"
import { dumpRedis } from "../helpers/redis-dump.ts"
import { type Bed, READY, useTestBed } from "../helpers/test-bed.ts"
import { ADA, BEN, CLEO, DOCS } from "../sandbox/slack/index.ts"
import { SECRETS } from "../sandbox/test-bed.ts"

const { testBed } = useTestBed()

const { botToken, appToken, signingSecret, apiKey } = SECRETS
const CANARIES = { botToken, appToken, signingSecret, apiKey }

/** Makes both services fail in every way in which they might echo a secret. */
async function liveThroughTrouble(h: Bed, codes: readonly string[]): Promise<void> {
  const ada = h.slack.as(ADA)
  h.docs.planAll(READY)
  for (const status of [400, 500])
    h.docs.fail({ type: "status", status, body: "echo_authorization", kind: "create", times: 1 })
  h.docs.fail({ type: "status", status: 500, body: "echo_authorization", kind: "get", times: 2 })
  h.docs.fail({ type: "status", status: 403, body: "echo_authorization", kind: "visitors" })

  await askUntil(h, "refused with an echo", /Rejected by the documentation service/)
  await askUntil(h, "unclear with an echo", /Couldn't confirm/)
  await h.slack.as(CLEO).slash(DOCS, "/docs-agent", "doctor")
  await h.toldPrivately(CLEO, /\d problem/)
  // Skips the pause after the unknown outcome.
  await h.resumeAll()
  await askUntil(h, "at last a good one", /request is ready/)
  for (const error of codes) {
    h.slack.fail({ kind: "error", error, method: "views.open", times: 1 })
    await ada.slash(DOCS, "/docs-agent", "")
    h.slack.fail({ kind: "error", error, method: "chat.postEphemeral", times: 1 })
    await ada.mention(DOCS, "help")
    h.slack.fail({ kind: "error", error, method: "response_url", times: 1 })
    await ada.slash(DOCS, "/docs-visitors", "subscriptions")
  }
  h.slack.fail({ kind: "error", error: apiKey, method: "users.info", times: 1 })
  await h.slack.as(BEN).mention(DOCS, "status")
  h.slack.fail({ kind: "html", method: "chat.postEphemeral", times: 1 })
  await ada.mention(DOCS, "status")
  h.slack.fail({ kind: "reset", when: "before", method: "chat.postEphemeral", times: 1 })
  await ada.mention(DOCS, "help")
  h.slack.revokeToken()
  await ada.mention(DOCS, "status")
}

/** Types, quotes and attaches secrets, which are taken out before they are kept or repeated. */
async function sayThem(h: Bed): Promise<void> {
  const ada = h.slack.as(ADA)
  const { shown } = await ada.slash(DOCS, "/docs-agent", apiKey)
  expect(shown?.text).toMatch(/Send this as a request.*\n\[secret\]/s)
  const root = await h.slack.as(BEN).post(DOCS, `see https://docs.example/?key=${apiKey}`)
  const files = [{ name: `${botToken}.md`, content: `sign with ${botToken}` }]
  await ada.mention(DOCS, `explain the key ${apiKey} here`, { thread: root.ts, files })
  await h.botSays(/explain the key \[secret\] here/, { thread: root.ts })
  const [prompt] = await h.promptsSent()
  expect(prompt).toMatch(/docs.example\/\?key=\[secret\][\s\S]*sign with \[secret\]/)
}

async function answersOf(port: number, bodies: readonly string[]): Promise<string> {
  const gets = ["/metrics", "/readyz", "/healthz", "/nothing"].map((path) =>
    fetch(`http://127.0.0.1:${port}${path}`),
  )
  const posts = bodies.map((body) =>
    fetch(`http://127.0.0.1:${port}/slack/events`, {
      method: "POST",
      body,
      headers: { "x-slack-signature": "v0=1", "x-slack-request-timestamp": "1" },
    }),
  )
  const answers = await Promise.all([...gets, ...posts])
  const texts = await Promise.all(
    answers.map(async (a) => `${JSON.stringify([...a.headers])} ${await a.text()}`),
  )
  return texts.join("\n")
}

test.each(["http", "socket"] as const)(
  "SAFE-7: no secret leaves the bot over %s, whoever says it and however the others misbehave",
  async (mode) => {
    const slack = { ackTimeoutMs: 500, scopes: [...Object.keys(SCOPES), "files:read"] }
    const h = await testBed({ mode, slack, env: { LOG_LEVEL: "debug", ADMIN_USERS: CLEO } })
    await sayThem(h)
    // Slack's error codes have letters, digits and underscores, as these two secrets do.
    await liveThroughTrouble(h, mode === "http" ? [apiKey, signingSecret] : [apiKey])

    const places = {
      log: h.lines.join(""),
      slack: JSON.stringify([
        h.slack.calls,
        h.botMessages(),
        ...[ADA, BEN, CLEO].map((user) => h.slack.ephemerals(user)),
      ]),
      redis: await dumpRedis(h.services.workerRedis),
      service: JSON.stringify(h.docs.creations),
      http: await answersOf(h.bot.port, ["{}", "payload=", "x".repeat(100)]),
    }

    expect(places.log.length).toBeGreaterThan(1000)
    // The echo arrived, with the secret replaced.
    expect(places.slack).toContain("Bearer [secret]")
    expect(places.redis).toContain("at last a good one")
    for (const [place, text] of Object.entries(places))
      for (const [name, canary] of Object.entries(CANARIES))
        expect({ place, name, found: text.includes(canary) }).toEqual({ place, name, found: false })
  },
)

test("prompts are in the log at debug only", async () => {
  const words = "canary words of a prompt"
  const h = await testBed({ env: { LOG_LEVEL: "info" }, plan: READY })
  await askUntil(h, words, /request is ready/)
  expect(h.lines.join("")).not.toContain(words)
  h.services.log.level = "debug"
  await askUntil(h, `${words}, again`, /requested a docs change/)
  expect(h.lines.join("")).toContain(`${words}, again`)
  await h.promptsSent(2)
})

/** Generates credentials that the configuration accepts: printable, without spaces. */
const credential = fc.string({
  unit: fc.integer({ min: 0x21, max: 0x7e }).map((code) => String.fromCharCode(code)),
  minLength: 8,
  maxLength: 60,
})

/** Encodings of text in a response, with the document that defines each. */
const ENCODINGS: Record<string, (text: string) => string> = {
  "as it is": (text) => text,
  "JSON (RFC 8259, 7)": (text) => JSON.stringify(text).slice(1, -1),
  "JSON with every slash escaped": (text) =>
    JSON.stringify(text).slice(1, -1).replaceAll("/", "\\/"),
  "a URL (RFC 3986, 2.1)": encodeURIComponent,
  "Slack's text in JSON": (text) => JSON.stringify(escapeText(text)).slice(1, -1),
  "a form (URL standard, 5.1)": (text) => new URLSearchParams({ t: text }).toString().slice(2),
}

const around = fc.string({
  unit: fc.constantFrom(...Array.from("abc /:?=&;%\\\"'<")),
  maxLength: 12,
})

describe("a secret is found in foreign text, and nothing of the text shows it afterwards", () => {
  test.each(Object.entries(ENCODINGS))("written for %s", async (_, encode) => {
    await holds(
      fc.property(credential, around, around, (secret, before, behind) => {
        const filter = createSecretFilter([secret])
        const text = encode(before + secret + behind)
        expect(filter.holds(text)).toBe(true)
        const cleaned = filter.clean(text)
        expect(cleaned).toContain("[secret]")
        expect(cleaned.toLowerCase()).not.toContain(encode(secret).toLowerCase())
        expect(filter.holds(cleaned)).toBe(false)
      }),
      100,
    )
  })

  test("in capitals, as a host of an address would be compared", () => {
    expect(createSecretFilter(["svc_0a1B2c3"]).holds("https://SVC_0A1b2C3.example/")).toBe(true)
  })

  test("a secret that is not ASCII is found, as a password of Redis may be", () => {
    const filter = createSecretFilter(["schlüssel"])
    for (const text of ["schlüssel", encodeURIComponent("schlüssel"), "SCHL%C3%BCSSEL"])
      expect(filter.holds(text)).toBe(true)
  })
})

describe("in what people write", () => {
  test("a secret is found as Slack escapes it", () => {
    const filter = createSecretFilter(["svc_a&b<c12345"])
    expect(filter.cleanWritten("document svc_a&amp;b&lt;c12345")).toBe("document [secret]")
  })

  test("a password that is a word stays a word, and is still kept out of what others answer", () => {
    const filter = createSecretFilter(["password", "svc_51f0c2aa97"])
    expect(filter.cleanWritten("reset a Password svc_51f0c2aa97")).toBe("reset a Password [secret]")
    const others = "redis://:password@redis, svc_51f0c2aa97"
    expect(filter.clean(others)).toBe("redis://:[secret]@redis, [secret]")
  })
})

describe("what is no secret stays as it is", () => {
  test("whatever stands in it", async () => {
    const filter = createSecretFilter(["svc_51f0c2aa97", "xoxb-1-2-three"])
    await holds(
      fc.property(hostileText, (text) => {
        expect(filter.clean(text)).toBe(text)
      }),
      100,
    )
  })

  test("text stays as it is where a password is a common short word", () => {
    expect(createSecretFilter(["docs"]).clean("https://git.example/docs")).toContain("/docs")
  })
})
