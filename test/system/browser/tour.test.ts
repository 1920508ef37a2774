import { expect, test } from "vitest"
import { messages, say } from "../../helpers/at-the-page.ts"
import { useStage } from "../../helpers/browser.ts"
import { script } from "../../sandbox/workspace/story/script.ts"

const stage = useStage()

test("the tour is one click away, plays once at a time and can be left", async () => {
  const page = await stage().open()
  const [first] = script
  const tours = page.getByRole("button", { name: "Take the tour" })
  expect(await tours.count()).toBe(2)
  await tours.last().click()
  const caption = page.getByRole("status").filter({ hasText: first?.caption ?? "" })
  await caption.waitFor()

  await tours.first().click()
  await page.getByText("The tour is already playing").waitFor()
  await page.getByRole("button", { name: "End the tour" }).click()
  await page.getByRole("button", { name: "Close the caption" }).click()
  await caption.waitFor({ state: "hidden" })
  expect(stage().sandbox.api.tour.isPlaying).toBe(false)
})

test("time is moved on, and what is said then is later", async () => {
  const page = await stage().open()
  const menu = page.getByRole("button", { name: "Skip ahead" })
  await menu.click()
  await page.getByRole("menuitem", { name: "To the next digest" }).click()
  await page.getByText("No channel has a digest yet").waitFor()

  await menu.click()
  await page.getByRole("menuitem", { name: "15 minutes" }).click()
  await page.getByText("15 min ahead of your clock").waitFor()
  await menu.click()
  await page.getByRole("menuitem", { name: "1 hour" }).click()
  await page.getByText("1 h 15 min ahead of your clock").waitFor()

  await say(page, "said in the future")
  const at = await messages(page, "said in the future").locator("time").getAttribute("datetime")
  expect(Date.parse(at ?? "") - Date.now()).toBeGreaterThan(70 * 60_000)
  await page.getByText("npm run sandbox -- --help").waitFor()
})

test("a page that is opened later has the sandbox's time, and nothing old in it is new", async () => {
  await stage().sandbox.api.moveTime({ minutes: 60 })
  await stage().sandbox.testBed.slack.as("U0BEN00001").post("C0SHARED01", "said before you came")
  const page = await stage().open()
  await page.getByText(/ahead of your clock/).waitFor()
  const places = page.getByRole("navigation", { name: "Channels" })
  expect(await places.getByText("unread").count()).toBe(0)
})
