import { readFile } from "node:fs/promises"
import { expect, test } from "vitest"
import { goTo, messages, say } from "../../helpers/at-the-page.ts"
import { useStage } from "../../helpers/browser.ts"

const stage = useStage()

async function report() {
  const page = await stage().open()
  const reports = messages(page, /Docs visitors/)
  await messages(page, "before the meeting").waitFor()
  const before = await reports.count()
  await say(page, "/docs-visitors 7d")
  const shown = reports.nth(before)
  await shown.getByRole("img", { name: /^(bar|line) chart/ }).waitFor()
  return { page, shown }
}

test("the report is private, with a chart that can also be read as a table", async () => {
  const { shown } = await report()
  await shown.getByText("Only visible to you").waitFor()
  await shown.getByText("Numbers", { exact: true }).click()
  const numbers = shown.getByRole("group", { name: "Chart numbers" })
  expect(await numbers.getByRole("row").count()).toBe(8)
  expect(await numbers.getByRole("columnheader").allInnerTexts()).toEqual([
    "Days (UTC)",
    "People",
    "AI",
  ])
})

test("another range and the next page edit the report in place", async () => {
  const { shown } = await report()
  const pages = shown.getByRole("group", { name: /^Top pages/ })
  await pages.getByText("1–5 of").waitFor()

  await shown.getByRole("button", { name: "Next" }).click()
  await pages.getByText("6–10 of").waitFor()
  await shown.getByRole("button", { name: "Previous" }).click()
  await pages.getByText("1–5 of").waitFor()

  const range = shown.getByRole("combobox", { name: "Change dates" })
  await range.selectOption({ label: "Last 30 days" })
  await shown.getByRole("img", { name: /^bar chart/ }).waitFor()
  expect(await range.locator("option:checked").textContent()).toBe("Last 30 days")
})

test("the CSV is downloaded whole from the direct messages", async () => {
  const { page, shown } = await report()
  const caption = await shown.getByText(/^Top pages/).innerText()
  const pages = Number(/of (\d+)$/.exec(caption)?.[1])
  await shown.getByRole("button", { name: "Get CSV" }).click()
  await goTo(page, "Docs Agent")
  await page.getByRole("button", { name: "Messages", exact: true }).click()
  const link = page.getByRole("link", { name: /docs-visitors.*\.csv/ }).last()
  const [download] = await Promise.all([page.waitForEvent("download"), link.click()])
  expect(download.suggestedFilename()).toMatch(/^docs-visitors.*\.csv$/)
  const [head, ...lines] = (await readFile(await download.path(), "utf8")).trim().split("\r\n")
  expect(head).toBe("path,people,ai,total")
  expect(lines).toHaveLength(pages)
})
