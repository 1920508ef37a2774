import { expect, test } from "vitest"
import { post, useBareSandbox } from "../helpers/bare-sandbox.ts"

const sandbox = useBareSandbox()

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
