import { expect, test } from "vitest"
import { get, post, stateAnswer, useBareSandbox } from "../helpers/bare-sandbox.ts"

const sandbox = useBareSandbox()

test("the page comes with a policy that lets nothing else run", async () => {
  const page = await fetch(sandbox().url)
  expect(page.headers.get("content-security-policy")).toContain("script-src 'self'")
  const script = /src="(\/assets\/[^"]+\.js)"/.exec(await page.text())?.[1]
  expect((await fetch(sandbox().url + script)).status).toBe(200)
  expect((await fetch(`${sandbox().url}/..%2f..%2fpackage.json`)).status).toBe(404)
})

test("the page comes with the state of its moment, and is never kept; its script always is", async () => {
  const text = "before anybody looked </script><script>document.title = 1</script>"
  await post(sandbox(), "/api/say", { as: "ben", channel: "docs", text })
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
  const { cursor } = stateAnswer.parse(await get(sandbox(), "/api/state"))
  await post(sandbox(), "/api/say", { as: "ben", channel: "docs", text: "missed by a moment" })
  const seen = await eventsUntil("missed by a moment", `?since=${cursor}`)
  expect(seen).not.toContain('"type":"state"')
  const tellsIt = seen.split("\n").filter((line) => line.includes("missed by a moment"))
  expect(tellsIt).toHaveLength(1)

  await post(sandbox(), "/api/say", { as: "ben", channel: "docs", text: "missed by a reconnect" })
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
  const { cursor } = stateAnswer.parse(await get(sandbox(), "/api/state"))
  for (let n = 0; n < 260; n += 1) {
    await post(sandbox(), "/api/line", { up: n % 2 === 1 })
    await post(sandbox(), "/api/membership", { channel: "random", member: n % 2 === 0 })
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
  await post(sandbox(), "/api/say", {
    as: "ben",
    channel: "docs",
    text: "told to everyone who looks",
  })
  await readUntil("told to everyone who looks")
  await reader?.cancel()
})
