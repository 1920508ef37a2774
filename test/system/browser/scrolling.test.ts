import type { Page } from "playwright-core"
import { expect, test } from "vitest"
import { conversation, messages, say } from "../../helpers/at-the-page.ts"
import { useStage } from "../../helpers/browser.ts"

const stage = useStage()

/** A channel with more than a screen of messages, the last a report with a chart. */
async function longChannel(): Promise<Page> {
  const page = await stage().open()
  await say(page, "/docs-visitors 30d")
  await messages(page, /Docs visitors/)
    .last()
    .getByRole("figure")
    .waitFor()
  return page
}

/** How far the end of the messages is below what is in sight, px. */
function belowSight(page: Page): Promise<number> {
  return conversation(page)
    .getByRole("log")
    .evaluate((list) => list.scrollHeight - list.scrollTop - list.clientHeight)
}

test("the answer to what one says is in sight, also after reading further up", async () => {
  const page = await longChannel()
  await conversation(page)
    .getByRole("log")
    .evaluate((list) => list.scrollTo(0, 0))
  await say(page, "/docs-agent help")
  await messages(page, "get a pull request to review").last().waitFor()
  await expect.poll(() => belowSight(page), { timeout: 10_000 }).toBeLessThan(2)
})

test("an answer longer than the screen begins at its beginning, with a panel beside it as well", async () => {
  const page = await longChannel()
  const report = messages(page, /Docs visitors/).last()
  const list = conversation(page).getByRole("log")
  const begins = async () => {
    const [shown, around] = await Promise.all([report.boundingBox(), list.boundingBox()])
    return Math.abs((shown?.y ?? 0) - (around?.y ?? Infinity))
  }
  await expect.poll(begins, { timeout: 10_000 }).toBeLessThan(2)
  const chart = report.getByRole("figure").getByRole("img")
  const drawn = await chart.getAttribute("viewBox")
  await page.getByRole("button", { name: "Service" }).click()
  await expect.poll(() => chart.getAttribute("viewBox"), { timeout: 10_000 }).not.toBe(drawn)
  await expect.poll(begins, { timeout: 10_000 }).toBeLessThan(2)
})

test("the end stays in sight when a panel takes half of the room, and a chart is drawn anew", async () => {
  const page = await longChannel()
  await messages(page, /Docs visitors/)
    .last()
    .hover()
  await page.mouse.wheel(0, 5_000)
  await expect.poll(() => belowSight(page), { timeout: 10_000 }).toBeLessThan(2)
  const chart = messages(page, /Docs visitors/)
    .last()
    .getByRole("figure")
    .getByRole("img")
  const drawn = await chart.getAttribute("viewBox")
  await page.getByRole("button", { name: "Service" }).click()
  await expect.poll(() => chart.getAttribute("viewBox"), { timeout: 10_000 }).not.toBe(drawn)
  await expect.poll(() => belowSight(page), { timeout: 10_000 }).toBeLessThan(2)
})
