import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, test } from "vitest"
import { messages } from "../../helpers/at-the-page.ts"
import { useStage } from "../../helpers/browser.ts"
import { startSandbox } from "../../sandbox/workspace/start/start-sandbox.ts"

const stage = useStage()
const BEN = "U0BEN00001"
const DOCS = "C0DOCS0001"
const EVENTS = "**/api/events*"

const ben = () => stage().sandbox.testBed.slack.as(BEN)

test("a message that looks like the end of a script is text in the first view too", async () => {
  const hostile = "</script><script>document.title = 'owned'</script><!-- <script>"
  await ben().post(DOCS, hostile)
  const page = await stage().open()
  await messages(page, hostile).waitFor()
  expect(await page.title()).toBe("Docs Agent sandbox")
  expect(await page.locator("#page script").count()).toBe(0)
})

test("a sandbox that was restarted is found again, and shows what it has", async () => {
  const folder = await mkdtemp(join(tmpdir(), "sandbox-"))
  const env = { PATH: process.env.PATH, DATA_DIR: folder }
  const options = { port: 0, mode: "http", keep: false } as const
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
