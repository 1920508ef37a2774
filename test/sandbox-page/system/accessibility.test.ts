import type { Page } from "playwright-core"
import { describe, expect, test } from "vitest"
import { axeFindings as check, messages, say } from "../../helpers/at-the-page.ts"
import { useStage } from "../../helpers/browser.ts"
import { jobVerbs } from "../../helpers/job-verbs.ts"

const stage = useStage()
const narrow = { width: 400, height: 800 }
const wide = { width: 1280, height: 800 }

describe.each([
  ["light", wide],
  ["dark", narrow],
] as const)("%s, %j", (colorScheme, viewport) => {
  const open = () => stage().open({ colorScheme, viewport })

  test("completion and trouble at the composer", async () => {
    const page = await open()
    await say(page, "/nonsense")
    await page.getByRole("alert").filter({ hasText: "not a command" }).waitFor()
    expect(await check(page)).toEqual([])
    await page.getByRole("textbox", { name: "Message #docs" }).fill("/")
    await page.getByRole("listbox").waitFor()
    expect(await check(page)).toEqual([])
  })

  test("the buttons of a card, and the question of one", async () => {
    const page = await open()
    const { testBed } = stage().sandbox
    testBed.docs.plan({ ending: "never", afterMs: 0 })
    await say(page, `/docs-agent never end in ${colorScheme} at ${viewport.width}`)
    const card = messages(page, `never end in ${colorScheme} at ${viewport.width}`).last()
    await card.getByRole("button", { name: "Mute" }).waitFor()
    expect(await check(page)).toEqual([])
    testBed.docs.fail({ type: "status", status: 503, kind: "create", times: 1 })
    await say(page, `/docs-agent stumble in ${colorScheme} at ${viewport.width}`)
    const unclear = messages(page, `stumble in ${colorScheme} at ${viewport.width}`).last()
    await unclear.getByRole("button", { name: "Run again", exact: true }).click()
    await page.getByRole("dialog", { name: "Run this again?" }).waitFor()
    expect(await check(page)).toEqual([])
    await jobVerbs(testBed).resumeAll()
  })
})

test("everything can be done with the keyboard alone", async () => {
  const page = await stage().open()
  const composer = page.getByRole("textbox", { name: "Message #docs" })
  const writing = composer.and(page.locator(":focus"))
  await press(page, "Tab", () => writing.count())
  await page.keyboard.type("/docs-agent use the keyboard")
  await page.keyboard.press("Enter")
  const card = messages(page, "use the keyboard").last()
  await card.getByText("1 reply").waitFor()
  const bar = card.getByRole("button", { name: /1 reply/ }).and(page.locator(":focus"))
  await press(page, "Shift+Tab", () => bar.count())
  await page.keyboard.press("Enter")
  const thread = page.getByRole("log", { name: "Thread" })
  await thread.waitFor()
  const close = page.getByRole("button", { name: "Close panel" }).and(page.locator(":focus"))
  await press(page, "Tab", () => close.count())
  await page.keyboard.press("Enter")
  await thread.waitFor({ state: "hidden" })
})

async function press(page: Page, key: string, isThere: () => Promise<number>): Promise<void> {
  for (let n = 0; n < 60; n += 1) {
    if ((await isThere()) > 0) return
    await page.keyboard.press(key)
  }
  throw new Error(`Pressing ${key} does not lead there`)
}
