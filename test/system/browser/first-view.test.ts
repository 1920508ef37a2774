import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { WebClient } from "@slack/web-api"
import type { Page } from "playwright-core"
import { expect, test } from "vitest"
import { conversation, messages, say } from "../../helpers/at-the-page.ts"
import { useStage } from "../../helpers/browser.ts"
import { gate } from "../../helpers/gate.ts"
import { SECRETS } from "../../sandbox/test-bed.ts"
import { startSandbox } from "../../sandbox/workspace/start/start-sandbox.ts"

const stage = useStage()
const BEN = "U0BEN00001"
const DOCS = "C0DOCS0001"
const EVENTS = "**/api/events*"
const REST = "**/assets/parts-*.js"

const ben = () => stage().sandbox.testBed.slack.as(BEN)

/** Loads the page anew, its requests of this kind held until the returned call. */
async function reloadHolding(page: Page, what: string): Promise<() => void> {
  const held = gate()
  await page.route(what, async (route) => {
    await held.opened
    await route.continue()
  })
  const asked = page.waitForRequest(what)
  await page.reload()
  await asked
  return () => held.open()
}

test("a message that looks like the end of a script is text in the first view too", async () => {
  const hostile = "</script><script>document.title = 'owned'</script><!-- <script>"
  await ben().post(DOCS, hostile)
  const page = await stage().open()
  await messages(page, hostile).waitFor()
  expect(await page.title()).toBe("Docs Agent sandbox")
  expect(await page.locator("#page script").count()).toBe(0)
})

test("the channel is there, and takes a line, before the stream of events has said a word", async () => {
  const page = await stage().open()
  await ben().post(DOCS, "here before the stream")
  const letGo = await reloadHolding(page, EVENTS)
  await messages(page, "here before the stream").waitFor()
  await say(page, "typed before the stream")
  const { slack } = stage().sandbox.testBed
  await slack.until(() =>
    slack
      .channel(DOCS)
      .all()
      .some(({ text }) => text === "typed before the stream"),
  )
  letGo()
  await messages(page, "typed before the stream").waitFor()
})

test("what is posted between the document and the stream appears, and once", async () => {
  const page = await stage().open()
  const letGo = await reloadHolding(page, EVENTS)
  await ben().post(DOCS, "posted in between")
  letGo()
  await ben().post(DOCS, "posted afterwards")
  await messages(page, "posted afterwards").waitFor()
  expect(await messages(page, "posted in between").count()).toBe(1)
  expect(await messages(page, "posted afterwards").count()).toBe(1)
})

test("a sandbox that was restarted is found again, and shows what it has", async () => {
  const folder = await mkdtemp(join(tmpdir(), "sandbox-"))
  const env = { PATH: process.env.PATH, DATA_DIR: folder }
  const options = { port: 0, mode: "http", keep: false, story: false } as const
  const first = await startSandbox(options, env)
  const page = await stage().open()
  await page.goto(first.url)
  await first.testBed.slack.as(BEN).post(DOCS, "said before the restart")
  await messages(page, "said before the restart").waitFor()
  await first.stop()
  await page.getByText("The sandbox isn't answering").waitFor()

  const second = await startSandbox({ ...options, port: Number(new URL(first.url).port) }, env)
  await second.testBed.slack.as(BEN).post(DOCS, "said after the restart")
  await messages(page, "said after the restart").waitFor()
  expect(await messages(page, "said before the restart").count()).toBe(0)
  await page.getByText("The sandbox isn't answering").waitFor({ state: "hidden" })

  await page.close()
  await second.stop()
  await rm(folder, { recursive: true, force: true })
})

test("a stream that is refused, as while the sandbox starts, is asked for again", async () => {
  const page = await stage().open()
  let asked = 0
  await page.route(EVENTS, (route) => {
    asked += 1
    return asked > 1
      ? route.continue()
      : route.fulfill({ status: 503, body: "The sandbox is starting." })
  })
  const refused = page.waitForResponse(EVENTS)
  await page.reload()
  expect((await refused).status()).toBe(503)
  await ben().post(DOCS, "posted while refused")
  await messages(page, "posted while refused").waitFor()
  await page.getByText("The sandbox isn't answering").waitFor({ state: "hidden" })
})

test("what stands behind a click is here before the click: the sandbox may be gone by then", async () => {
  const page = await stage().open()
  const rest = page.waitForResponse(REST)
  await page.reload()
  await (await rest).finished()
  await page.context().setOffline(true)
  await page.getByRole("button", { name: "Inspector" }).click()
  await page.getByRole("region", { name: "Inspector" }).waitFor()
  await page.getByRole("button", { name: "Service", exact: true }).click()
  await page.getByRole("region", { name: "The local documentation service" }).waitFor()
})

test("a first view that needs the later script is shown when it is whole, not piece by piece", async () => {
  const { slack } = stage().sandbox.testBed
  const client = new WebClient(SECRETS.botToken, { slackApiUrl: slack.apiUrl })
  const segments = [{ label: "People", value: 1 }]
  const chart = { type: "data_visualization", title: "Whole", chart: { type: "pie", segments } }
  await client.apiCall("chat.postMessage", { channel: DOCS, text: "chart", blocks: [chart] })
  const page = await stage().open()
  const drawing = page.getByRole("figure", { name: "Whole" })
  await drawing.waitFor()

  const letGo = await reloadHolding(page, REST)
  expect(await conversation(page).isVisible()).toBe(false)
  letGo()
  await conversation(page).waitFor()
  expect(await drawing.isVisible()).toBe(true)
})

test("the colours that somebody chose are in the document before its script runs", async () => {
  const page = await stage().open({ colorScheme: "light" })
  const background = () => page.evaluate("getComputedStyle(document.body).backgroundColor")
  const light = await background()
  const colours = page.getByRole("button", { name: /^Colours: / })
  await colours.click()
  const kept = page.waitForResponse("**/api/theme")
  await colours.click()
  await (await kept).finished()
  const dark = await background()
  expect(dark).not.toBe(light)

  await page.route("**/assets/*.js", (route) => route.abort())
  await page.reload()
  expect(await background()).toBe(dark)
})
