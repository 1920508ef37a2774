import { expect, test } from "vitest"
import { post, useBareSandbox } from "../helpers/bare-sandbox.ts"

const sandbox = useBareSandbox()

test("the page comes with a policy that lets nothing else run", async () => {
  const page = await fetch(sandbox().url)
  expect(page.headers.get("content-security-policy")).toContain("script-src 'self'")
  const script = /src="(\/assets\/[^"]+\.js)"/.exec(await page.text())?.[1]
  expect((await fetch(sandbox().url + script)).status).toBe(200)
  expect((await fetch(`${sandbox().url}/..%2f..%2fpackage.json`)).status).toBe(404)
})

test("the page is never kept, its script always", async () => {
  const page = await fetch(`${sandbox().url}/`)
  expect(page.headers.get("cache-control")).toBe("no-store")
  const script = /src="(\/assets\/[^"]+\.js)"/.exec(await page.text())?.[1]
  const kept = (await fetch(sandbox().url + script)).headers.get("cache-control")
  expect(kept).toBe("max-age=31536000, immutable")
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
