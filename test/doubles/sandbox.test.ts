import { execFile } from "node:child_process"
import { promisify } from "node:util"
import { beforeAll, describe, expect, test } from "vitest"
import { z } from "zod"
import { reading } from "../helpers/reading.ts"
import { BEN } from "../sandbox/slack/index.ts"
import { SECRETS } from "../sandbox/test-bed.ts"
import { type Sandbox, startSandbox } from "../sandbox/workspace/start/start-sandbox.ts"

const message = z.object({
  ts: z.string(),
  text: z.string(),
  isBot: z.boolean(),
  threadTs: z.string().optional(),
})
const answer = z.object({
  ok: z.boolean(),
  error: z.string().optional(),
  kind: z.string().optional(),
  notice: z.string().optional(),
  message: message.optional(),
  messages: z.array(message).default([]),
})

/** Starts one sandbox for some tests. @returns what its HTTP API and the local Slack have to say */
function useSandbox(env: Readonly<Record<string, string>> = {}) {
  // Without a PATH, no redis-server is found, and the store is in-process.
  const bare = { PATH: "", POLL_MIN_MS: "50", POLL_MAX_MS: "200", START_DELAY_SECONDS: "0" }
  let running: Sandbox
  beforeAll(async () => {
    running = await startSandbox({ port: 0, mode: "http" }, { ...bare, ...env })
    running.testBed.docs.planAll({ ending: "pull_request", afterMs: 100 })
    return () => running.stop()
  })
  const url = (path: string) => running.url + path
  const post = async (path: string, body: object, headers: Record<string, string> = {}) => {
    const all = { "content-type": "application/json", ...headers }
    const said = await fetch(url(path), {
      method: "POST",
      headers: all,
      body: JSON.stringify(body),
    })
    return { status: said.status, ...answer.parse(await said.json()) }
  }
  return {
    parties: () => running.testBed,
    url,
    post,
    /** Types into the composer as a person. @param more the rest of the request */
    say: (as: string, text: string, more: object = {}) =>
      post("/api/say", { as, channel: "docs", text, ...more }),
    messages: async (query: string) =>
      answer.parse(await (await fetch(url(`/api/messages?${query}`))).json()).messages,
  }
}

const { parties, url, post, say, messages } = useSandbox()

/** Resolves once the bot has said this to those for whom the query is. */
function botSays(query: string, says: RegExp, more: object = {}): Promise<void> {
  const said = expect.objectContaining({ isBot: true, text: expect.stringMatching(says), ...more })
  return expect.poll(() => messages(query)).toContainEqual(said)
}

describe("plain HTTP, as in --help", () => {
  test("a command becomes a pull request", async () => {
    const said = await say("ada", "/docs-agent fix the quickstart")
    expect(said).toEqual({ status: 200, ok: true, kind: "command", messages: [] })
    const inThread = { threadTs: expect.any(String) }
    await botSays("channel=docs", /Your pull request is ready: acme\/docs#\d+(?! on)/, inThread)
    const ts = (await messages("channel=docs")).find(({ isBot }) => isBot)?.ts
    const click = { as: "ada", target: { channel: "docs", ts }, action: "view_pull_request" }
    await expect.poll(async () => (await post("/api/click", click)).status).toBe(200)
  })

  test("a message with a file is sent and edited, and a global shortcut is picked", async () => {
    const where = { as: "ada", channel: "docs" }
    const files = [{ name: "plan.md", content: "# Plan" }]
    const { ts } = (await say("ada", "@docs-agent use this plan", { files })).message ?? {}
    await post("/api/edit", { ...where, ts, text: "@docs-agent use the plan instead" })
    await botSays("channel=docs&as=ada", /use the plan instead|came too late/)
    const callback = "ask_docs_agent_global"
    expect((await post("/api/global-shortcut", { as: "ada", callback })).status).toBe(200)
  })

  test("what only one person sees is shown to that person alone", async () => {
    await say("gus", "/docs-agent let me in", { channel: "#docs" })
    await botSays("channel=docs&as=gus", /Guests can't use/)
    const others = await messages("channel=docs&as=ben")
    expect(others.some(({ text }) => text.includes("Guests can't use"))).toBe(false)
  })
})

describe("who else is on this machine's network", () => {
  test("does not reach the bot, which listens on the loopback address alone", async () => {
    const { port } = parties().bot
    expect((await fetch(`http://127.0.0.1:${port}/healthz`)).status).toBe(200)
    await expect(fetch(`http://127.0.0.2:${port}/healthz`)).rejects.toThrow()
  })

  test("does not know the signing secret, which is another one in every run", async () => {
    const signing = `import { SECRETS } from "./test/sandbox/test-bed.ts"
      process.stdout.write(SECRETS.signingSecret)`
    const args = ["--import", "tsx", "--input-type=module", "--eval", signing]
    const { stdout } = await promisify(execFile)(process.execPath, args)
    expect(stdout).toMatch(/^[0-9a-f]{32}$/)
    expect(stdout).not.toBe(SECRETS.signingSecret)
  })
})

describe("what Slack's client would not do", () => {
  test("a command inside a thread is refused, and the bot hears nothing", async () => {
    const [root] = await messages("channel=docs")
    const before = parties().slack.deliveries.length
    const said = await say("ada", "/docs-agent fix it", { thread: root?.ts })
    const error = expect.stringContaining("not supported in threads")
    expect(said).toMatchObject({ status: 409, error })
    expect(parties().slack.deliveries.length).toBe(before)
  })

  test.each([
    [{ text: "/nonsense" }, 404, "/nonsense is not a command"],
    [{ as: "nobody" }, 404, 'No one is named "nobody"'],
    [{ channel: "nowhere" }, 404, 'No channel is named "nowhere"'],
    [{ channel: "old-docs" }, 409, "archived"],
    [{ as: "gus", channel: "random" }, 409, "not in #random"],
    [{ text: "  " }, 400, "nothing to send"],
    [{ text: undefined }, 400, "text"],
  ])("%j answers %i", async (wrong, status, words) => {
    const error = expect.stringContaining(words)
    expect(await say("ada", "hi", wrong)).toMatchObject({ status, error })
  })

  test("/invite brings the bot into a channel, /remove takes it out", async () => {
    const bot = parties().slack.users()[0]?.id ?? ""
    const isIn = () =>
      parties()
        .slack.channels()
        .find(({ name }) => name === "random")
        ?.members.has(bot)
    const invited = await say("ada", "/invite @Docs Agent", { channel: "random" })
    expect(invited.notice).toBe("Docs Agent is now in #random")
    expect(isIn()).toBe(true)
    await say("ada", "/remove @docs-agent", { channel: "random" })
    expect(isIn()).toBe(false)
  })
})

test.each([
  ["an origin of its own", { origin: "https://elsewhere.example" }, 403],
  ["a form", { "content-type": "text/plain" }, 415],
])("another site in the same browser cannot act with %s", async (_, headers, status) => {
  const body = { as: "ada", channel: "docs", text: "hi" }
  expect((await post("/api/say", body, headers)).status).toBe(status)
})

test("the page lets nothing else run and is never kept, its script always", async () => {
  const page = await fetch(url("/"))
  expect(page.headers.get("content-security-policy")).toContain("script-src 'self'")
  expect(page.headers.get("cache-control")).toBe("no-store")
  const script = await fetch(url(/src="(\/assets\/[^"]+\.js)"/.exec(await page.text())?.[1] ?? ""))
  expect(script.headers.get("cache-control")).toBe("max-age=31536000, immutable")
  expect((await fetch(url("/..%2f..%2fpackage.json"))).status).toBe(404)
})

test("events hold the whole state, at once and again after a change", async () => {
  const stream = await fetch(url("/api/events"))
  const reader = stream.body?.pipeThrough(new TextDecoderStream()).getReader()
  let seen = ""
  const readUntil = async (words: string) => {
    while (!seen.includes(words)) seen += (await reader?.read())?.value ?? ""
  }
  await readUntil("Three people tripped")
  await say("ben", "told to everyone who looks")
  await readUntil("told to everyone who looks")
  await reader?.cancel()
})

describe("time moved on", () => {
  const later = useSandbox({ JOBS_PER_HOUR: "1", RESERVED_SLOTS: "0" })
  const moveOn = (step: object) => later.post("/api/time", step)
  const ask = (as: string, text: string) => later.say(as, `/docs-agent ${text}`)
  const until = (probe: () => unknown) => later.parties().slack.until(probe)
  const isCreated = (words: string) =>
    later.parties().docs.creations.some(({ prompt }) => prompt.startsWith(words))
  const cardsOf = (words: string) =>
    reading(later.parties())
      .botMessages()
      .filter(({ text }) => text.includes(words)).length

  test("frees the hour for who waits, and dates what comes then", async () => {
    await ask("ada", "take the hour")
    await until(() => isCreated("take the hour"))
    await ask("ben", "wait for the next one")
    await until(() => cardsOf("wait for the next one"))
    expect(isCreated("wait for the next one")).toBe(false)

    expect((await moveOn({ minutes: 61 })).status).toBe(200)

    await until(() => isCreated("wait for the next one"))
    const said = await later.say("ada", "later")
    const aheadMs = Number(said.message?.ts) * 1000 - Date.now()
    expect(aheadMs).toBeGreaterThan(60 * 60_000)
    expect(await (await fetch(later.url("/api/state"))).json()).toMatchObject({
      state: { aheadMs: 61 * 60_000 },
    })
  })

  test("lets expire what lives for a while: the same words are not asked about any more", async () => {
    await ask("ben", "one example more")
    await until(() => cardsOf("one example more") === 1)
    await ask("ben", "one example more")
    await until(() => later.parties().slack.ephemerals(BEN)[0])
    await moveOn({ minutes: 16 })
    await ask("ben", "one example more")
    await until(() => cardsOf("one example more") === 2)
  })

  test.each([{ minutes: 0 }, { minutes: -5 }, { minutes: 1e9 }, { to: "next_digest" }, {}])(
    "%j is refused",
    async (step) => {
      const before = later.parties().bot.port
      expect((await moveOn(step)).status).toBe(400)
      expect(later.parties().bot.port).toBe(before)
    },
  )
})
