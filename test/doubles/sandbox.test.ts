import { execFile } from "node:child_process"
import { promisify } from "node:util"
import { describe, expect, test } from "vitest"
import { answer, get, type Message, post, useBareSandbox } from "../helpers/bare-sandbox.ts"
import { SECRETS } from "../sandbox/test-bed.ts"

const sandbox = useBareSandbox()

/** Types into the composer as a person. @param more the rest of the request */
const say = (as: string, text: string, more: object = {}) =>
  post(sandbox(), "/api/say", { as, channel: "docs", text, ...more })

async function messages(query: string): Promise<Message[]> {
  return answer.parse(await get(sandbox(), `/api/messages?${query}`)).messages
}

/** Resolves once the bot has said this to those for whom the query is. */
async function botSays(query: string, says: RegExp, more: object = {}): Promise<void> {
  const said = expect.objectContaining({ isBot: true, text: expect.stringMatching(says), ...more })
  await expect.poll(() => messages(query)).toContainEqual(said)
}

describe("plain HTTP, as in --help", () => {
  test("a command becomes a pull request in the thread", async () => {
    const said = await say("ada", "/docs-agent fix the quickstart")
    expect(said.body).toMatchObject({ ok: true, kind: "command" })
    expect(said.body.message).toBeUndefined()
    const inThread = { threadTs: expect.any(String) }
    await botSays("channel=docs", /Your pull request is ready: acme\/docs#\d+(?! on)/, inThread)
  })

  test("a message with a file is sent and edited, and a global shortcut is picked", async () => {
    const where = { as: "ada", channel: "docs" }
    const files = [{ name: "plan.md", content: "# Plan" }]
    const said = await say("ada", "@docs-agent use this plan", { files })
    const { ts = "" } = said.body.message ?? {}
    await post(sandbox(), "/api/edit", { ...where, ts, text: "@docs-agent use the plan instead" })
    await botSays("channel=docs&as=ada", /use the plan instead|came too late/)
    const callback = "ask_docs_agent_global"
    const opened = await post(sandbox(), "/api/global-shortcut", { as: "ada", callback })
    expect(opened.status).toBe(200)
  })

  test("what only one person sees is shown to that person alone", async () => {
    await say("gus", "/docs-agent let me in", { channel: "#docs" })
    await botSays("channel=docs&as=gus", /Guests can't use/)
    const others = await messages("channel=docs&as=ben")
    expect(others.some((message) => message.text.includes("Guests can't use"))).toBe(false)
  })
})

describe("who else is on this machine's network", () => {
  test("does not reach the bot, which listens on the loopback address alone", async () => {
    const { port } = sandbox().testBed.bot
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
    const before = sandbox().testBed.slack.deliveries.length

    const said = await say("ada", "/docs-agent fix it", { thread: root?.ts })

    expect(said.status).toBe(409)
    expect(said.body.error).toContain("not supported in threads")
    expect(sandbox().testBed.slack.deliveries.length).toBe(before)
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
    const said = await say("ada", "hi", wrong)
    expect(said.status).toBe(status)
    expect(said.body.error).toContain(words)
  })

  test("/invite brings the bot into a channel, /remove takes it out", async () => {
    const invited = await say("ada", "/invite @Docs Agent", { channel: "random" })
    expect(invited.body.notice).toBe("Docs Agent is now in #random")
    const { slack } = sandbox().testBed
    const bot = slack.users()[0]?.id ?? ""
    const isIn = () =>
      slack.channels().some(({ name, members }) => name === "random" && members.has(bot))
    expect(isIn()).toBe(true)
    await say("ada", "/remove @docs-agent", { channel: "random" })
    expect(isIn()).toBe(false)
  })
})

describe("other sites in the same browser", () => {
  test.each([
    ["an origin of their own", { origin: "https://elsewhere.example" }, 403],
    ["a form", { "content-type": "text/plain" }, 415],
  ])("cannot act with %s", async (_, headers, status) => {
    const body = { as: "ada", channel: "docs", text: "hi" }
    const said = await post(sandbox(), "/api/say", body, headers)
    expect(said.status).toBe(status)
  })
})

describe("the page", () => {
  test("the page lets nothing else run and is never kept, its script always", async () => {
    const page = await fetch(`${sandbox().url}/`)
    expect(page.headers.get("content-security-policy")).toContain("script-src 'self'")
    expect(page.headers.get("cache-control")).toBe("no-store")
    const address = /src="(\/assets\/[^"]+\.js)"/.exec(await page.text())?.[1]
    const script = await fetch(sandbox().url + address)
    expect(script.status).toBe(200)
    expect(script.headers.get("cache-control")).toBe("max-age=31536000, immutable")
    expect((await fetch(`${sandbox().url}/..%2f..%2fpackage.json`)).status).toBe(404)
  })

  test("events hold the whole state, at once and again after a change", async () => {
    const stream = await fetch(`${sandbox().url}/api/events`)
    const reader = stream.body?.pipeThrough(new TextDecoderStream()).getReader()
    let seen = ""
    const readUntil = async (words: string) => {
      while (!seen.includes(words)) seen += (await reader?.read())?.value ?? ""
    }
    await readUntil("Three people tripped")
    const text = "told to everyone who looks"
    await post(sandbox(), "/api/say", { as: "ben", channel: "docs", text })
    await readUntil(text)
    await reader?.cancel()
  })
})
