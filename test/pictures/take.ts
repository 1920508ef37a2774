import { join } from "node:path"
import type { Page } from "playwright-core"
import { messages, replies, reply, say } from "../helpers/at-the-page.ts"
import { setStage } from "../helpers/browser.ts"

/** Color schemes of the README's pictures by file name. */
export const LOOKS = { "sandbox-light.png": "light", "sandbox-dark.png": "dark" } as const
export const SIZE = { width: 1280, height: 800 } as const
const PROMPT = "fix the quickstart"
const FOLLOW_UP = "say the same on the install page"
/** Workday hour of the pictures, at any time of day, so that all messages are from today. */
const HOUR = 10

/** Takes the README's pictures of one request and its follow-up, in a separate sandbox. */
export async function takePictures(folder: string): Promise<void> {
  await using stage = await setStage()
  const look = { viewport: SIZE, timezoneId: timezoneAt(HOUR) }
  await playOut(await stage.open(look))
  for (const [name, colorScheme] of Object.entries(LOOKS)) {
    // A new browser context, without private replies, as after a reload in Slack.
    const page = await openThread(await stage.open({ ...look, colorScheme }))
    await page.screenshot({ path: join(folder, name), animations: "disabled" })
  }
}

async function playOut(page: Page): Promise<void> {
  await say(page, `/docs-agent ${PROMPT}`)
  await messages(page, /Pull request ready/).waitFor()
  await openThread(page)
  await reply(page, `@Docs Agent ${FOLLOW_UP}`)
  // Waits for the sizes that GitHub says last, so that no later edit is missing.
  await replies(page, /Updated .*(in all|before:)/).waitFor()
  await messages(page, /Pull request updated[\s\S]*files?, \+/).waitFor()
  // Waits for both results and Ada's reply, so that no message can arrive later.
  await messages(page, PROMPT).last().getByText("3 replies").waitFor()
}

async function openThread(page: Page): Promise<Page> {
  const card = messages(page, PROMPT).last()
  await card.getByText(/^\d+ repl(y|ies)$/).click()
  await page.getByRole("textbox", { name: "Reply…" }).waitFor()
  await page.mouse.move(0, 0)
  await page.evaluate("document.fonts.ready")
  return page
}

/** Returns a time zone where it is about that hour now; zones range from UTC-12 to UTC+14. */
function timezoneAt(hour: number): string {
  const behind = Math.min(12, new Date().getUTCHours() - hour)
  // "Etc/GMT+3" is three hours behind UTC.
  return `Etc/GMT${behind < 0 ? "-" : "+"}${Math.abs(behind)}`
}
