import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { z } from "zod"
import { type Sandbox, startSandbox } from "../../src/sandbox/workspace/start/start-sandbox.ts"

/** Without a PATH there is no redis-server: the store inside the process, as on a bare machine. */
const BARE = { PATH: "", POLL_MIN_MS: "50", POLL_MAX_MS: "200" }

/** The parts of the answers that the tests look at. */
const message = z.object({
  ts: z.string(),
  text: z.string(),
  isBot: z.boolean(),
  threadTs: z.string().optional(),
  job: z.string().optional(),
})
type Message = z.infer<typeof message>
const answer = z.object({
  ok: z.boolean(),
  error: z.string().default(""),
  kind: z.string().optional(),
  notice: z.string().optional(),
  message: message.optional(),
  messages: z.array(message).default([]),
  submission: z.object({ accepted: z.boolean(), refusedBy: z.string().optional() }).optional(),
  service: z.object({ plans: z.object({ next: z.array(z.unknown()) }) }).optional(),
  keys: z.array(z.object({ meaning: z.string() })).default([]),
})
const change = z.object({ field: z.string(), after: z.string().optional() })
const stateAnswer = z.object({
  cursor: z.string(),
  state: z.object({
    messages: z.array(message),
    trails: z.array(
      z.object({ id: z.string(), steps: z.array(z.object({ changes: z.array(change) })) }),
    ),
  }),
})

const running: { sandbox?: Sandbox } = {}

beforeAll(async () => {
  running.sandbox = await startSandbox({ port: 0, mode: "http", keep: false, story: false }, BARE)
  running.sandbox.house.docs.planAll({ ending: "pull_request", afterMs: 100 })
})

afterAll(async () => {
  await running.sandbox?.stop()
})

function sandbox(): Sandbox {
  if (!running.sandbox) throw new Error("The sandbox is not started yet")
  return running.sandbox
}

async function post(path: string, body: object, headers: Record<string, string> = {}) {
  const response = await fetch(sandbox().url + path, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify(body),
  })
  return { status: response.status, body: answer.parse(await response.json()) }
}

async function get(path: string): Promise<unknown> {
  return (await fetch(sandbox().url + path)).json()
}

async function messages(query: string): Promise<Message[]> {
  return answer.parse(await get(`/api/messages?${query}`)).messages
}

/** Looks again whenever something happened in the workspace. */
async function until<T>(probe: () => Promise<T | undefined>): Promise<T> {
  for (;;) {
    const before = sandbox().house.slack.calls.length
    const found = await probe()
    if (found !== undefined) return found
    await sandbox().house.slack.until((slack) => slack.calls.length > before)
  }
}

describe("plain HTTP, as in --help", () => {
  test("a command becomes a pull request in the thread", async () => {
    const said = await post("/api/say", {
      as: "ada",
      channel: "docs",
      text: "/docs-agent fix the quickstart",
    })

    expect(said.body).toMatchObject({ ok: true, kind: "command" })
    expect(said.body.message?.text).toContain("Accepted")
    const reply = await until(async () => {
      const all = await messages("channel=docs")
      return all.find((message) => message.isBot && message.threadTs)
    })
    expect(reply.text).toMatch(/pull request is ready: acme\/docs#\d+/)
  })

  test("what only one person sees is shown to that person alone", async () => {
    await post("/api/say", { as: "gus", channel: "#docs", text: "/docs-agent let me in" })

    const own = await messages("channel=docs&as=gus")
    expect(own.some((message) => message.text.includes("Guests may not use"))).toBe(true)
    const others = await messages("channel=docs&as=ben")
    expect(others.some((message) => message.text.includes("Guests may not use"))).toBe(false)
  })

  test("the form is opened, refused while empty, and sent", async () => {
    await post("/api/say", { as: "ben", channel: "docs", text: "/docs-agent" })

    const empty = await post("/api/submit", { as: "ben" })
    expect(empty.body.submission).toMatchObject({ accepted: false, refusedBy: "client" })
    const sent = await post("/api/submit", { as: "ben", values: { prompt: "explain webhooks" } })
    expect(sent.body.submission?.accepted).toBe(true)
    await until(async () => {
      const all = await messages("channel=docs")
      return all.find((message) => message.text.includes("explain webhooks"))
    })
  })

  test("the service is steered", async () => {
    const plan = { ending: "failed", afterMs: 50 }
    const planned = await post("/api/service", { do: "plan_next", plan })
    expect(planned.body.service?.plans.next).toEqual([plan])
    const cleared = await post("/api/service", { do: "clear_plans" })
    expect(cleared.body.service?.plans.next).toEqual([])
  })
})

describe("what Slack's client would not do", () => {
  test("a command inside a thread is refused, and the bot hears nothing", async () => {
    const [root] = await messages("channel=docs")
    const before = sandbox().house.slack.deliveries.length

    const said = await post("/api/say", {
      as: "ada",
      channel: "docs",
      text: "/docs-agent fix it",
      thread: root?.ts,
    })

    expect(said.status).toBe(409)
    expect(said.body.error).toContain("not supported in threads")
    expect(sandbox().house.slack.deliveries.length).toBe(before)
  })

  test.each([
    [{ as: "ada", channel: "docs", text: "/nonsense" }, 404, "/nonsense is not a command"],
    [{ as: "nobody", channel: "docs", text: "hi" }, 404, 'nobody called "nobody"'],
    [{ as: "ada", channel: "nowhere", text: "hi" }, 404, 'no channel "nowhere"'],
    [{ as: "ada", channel: "old-docs", text: "hi" }, 409, "archived"],
    [{ as: "gus", channel: "random", text: "hi" }, 409, "not in #random"],
    [{ as: "ada", channel: "docs", text: "  " }, 400, "nothing to send"],
    [{ as: "ada", channel: "docs" }, 400, "text"],
  ])("%j answers %i", async (body, status, words) => {
    const said = await post("/api/say", body)
    expect(said.status).toBe(status)
    expect(said.body.error).toContain(words)
  })

  test("/invite brings the bot into a channel, /remove takes it out", async () => {
    const invited = await post("/api/say", {
      as: "ada",
      channel: "random",
      text: "/invite @Docs Agent",
    })
    expect(invited.body.notice).toBe("Docs Agent is now in #random")
    const bot = sandbox().house.slack.users()[0]?.id ?? ""
    const isIn = () =>
      sandbox()
        .house.slack.channels()
        .some(({ name, members }) => name === "random" && members.has(bot))
    expect(isIn()).toBe(true)
    await post("/api/say", { as: "ada", channel: "random", text: "/remove @docs-agent" })
    expect(isIn()).toBe(false)
  })
})

describe("other sites in the same browser", () => {
  test.each([
    ["an origin of their own", { origin: "https://elsewhere.example" }, 403],
    ["a form", { "content-type": "text/plain" }, 415],
  ])("cannot act with %s", async (_, headers, status) => {
    const said = await post("/api/say", { as: "ada", channel: "docs", text: "hi" }, headers)
    expect(said.status).toBe(status)
  })
})

test("the page comes with a policy that lets nothing else run", async () => {
  const page = await fetch(sandbox().url)
  expect(page.headers.get("content-security-policy")).toContain("script-src 'self'")
  const script = /src="(\/assets\/[^"]+\.js)"/.exec(await page.text())?.[1]
  expect((await fetch(sandbox().url + script)).status).toBe(200)
  expect((await fetch(`${sandbox().url}/..%2f..%2fpackage.json`)).status).toBe(404)
})

test("the page comes with the state of its moment, and is never kept; its script always is", async () => {
  const text = "before anybody looked </script><script>document.title = 1</script>"
  await post("/api/say", { as: "ben", channel: "docs", text })
  const page = await fetch(`${sandbox().url}/`)
  expect(page.headers.get("cache-control")).toBe("no-store")
  const document = await page.text()
  const json = /id="first-state">(.*?)<\/script>/s.exec(document)?.[1] ?? ""
  const { state } = stateAnswer.parse(JSON.parse(json))
  expect(state.messages.filter((message) => message.text.includes("before anybody"))).toHaveLength(
    1,
  )
  const script = /src="(\/assets\/[^"]+\.js)"/.exec(document)?.[1]
  const kept = (await fetch(sandbox().url + script)).headers.get("cache-control")
  expect(kept).toBe("max-age=31536000, immutable")
})

/** What `/api/events` sends up to these words. */
async function eventsUntil(words: string, query = "", headers: Record<string, string> = {}) {
  const stream = await fetch(`${sandbox().url}/api/events${query}`, { headers })
  const reader = stream.body?.pipeThrough(new TextDecoderStream()).getReader()
  let seen = ""
  while (!seen.includes(words)) seen += (await reader?.read())?.value ?? ""
  await reader?.cancel()
  return seen
}

test("events go on from the state that a page has, with what it missed and nothing else", async () => {
  const { cursor } = stateAnswer.parse(await get("/api/state"))
  await post("/api/say", { as: "ben", channel: "docs", text: "missed by a moment" })
  const seen = await eventsUntil("missed by a moment", `?since=${cursor}`)
  expect(seen).not.toContain('"type":"state"')
  const tellsIt = seen.split("\n").filter((line) => line.includes("missed by a moment"))
  expect(tellsIt).toHaveLength(1)

  await post("/api/say", { as: "ben", channel: "docs", text: "missed by a reconnect" })
  const last = [...seen.matchAll(/^id: (.+)$/gm)].at(-1)?.[1] ?? ""
  // The browser repeats the address it was opened with, and tells where it is in a header.
  const again = await eventsUntil("missed by a reconnect", `?since=${cursor}`, {
    "last-event-id": last,
  })
  expect(again).not.toContain("missed by a moment")
})

test.each(["", "another-1", "nonsense", "%00"])(
  "after the unknown %j comes everything",
  async (since) => {
    const seen = await eventsUntil('"type":"state"', `?since=${since}`)
    expect(seen).toContain("Three people tripped")
  },
)

test("a page that was away too long gets everything instead of a part", async () => {
  const { cursor } = stateAnswer.parse(await get("/api/state"))
  for (let n = 0; n < 260; n += 1) {
    await post("/api/line", { up: n % 2 === 1 })
    await post("/api/membership", { channel: "random", member: n % 2 === 0 })
  }
  const seen = await eventsUntil('"type":"state"', `?since=${cursor}`)
  expect(seen).toContain("Three people tripped")
})

test("events begin with the whole state and go on with each change", async () => {
  const stream = await fetch(`${sandbox().url}/api/events`)
  const reader = stream.body?.pipeThrough(new TextDecoderStream()).getReader()
  let seen = ""
  const readUntil = async (words: string) => {
    while (!seen.includes(words)) seen += (await reader?.read())?.value ?? ""
  }
  await readUntil('"type":"state"')
  expect(seen).toContain("Three people tripped")
  await post("/api/say", { as: "ben", channel: "docs", text: "told to everyone who looks" })
  await readUntil("told to everyone who looks")
  await reader?.cancel()
})

test("a request's keys can be looked up, and its trail tells its states", async () => {
  const card = (await messages("channel=docs")).find(({ job }) => job !== undefined)
  const { trails } = stateAnswer.parse(await get("/api/state")).state
  const states = trails
    .find(({ id }) => id === card?.job)
    ?.steps.flatMap(({ changes }) => changes)
    .filter(({ field }) => field === "state")
  expect(states?.at(-1)?.after).toBe("ended")
  const { keys } = answer.parse(await get(`/api/jobs/${card?.job}`))
  expect(keys.map(({ meaning }) => meaning)).toContain("The request itself: state, place, card")
})
