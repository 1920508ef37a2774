import { readFile } from "node:fs/promises"
import { expect, test } from "vitest"
import { z } from "zod"
import { goTo, messages, say } from "../../helpers/at-the-page.ts"
import { useStage } from "../../helpers/browser.ts"
import { ADA } from "../../sandbox/slack/index.ts"

const stage = useStage()

const point = z.object({ value: z.number() })
const chart = z.object({
  chart: z.object({
    series: z.array(z.object({ data: z.array(point) })),
    axis_config: z.object({ categories: z.array(z.string()).length(7) }),
  }),
})

async function report(range: string) {
  const page = await stage().open()
  const reports = messages(page, /Docs visitors/)
  await messages(page, "before the meeting").waitFor()
  const before = await reports.count()
  await say(page, `/docs-visitors ${range}`)
  const shown = reports.nth(before)
  await shown.getByRole("figure").waitFor()
  return { page, shown }
}

test("the report is private, with a chart that can also be read as a table", async () => {
  const { shown } = await report("7d")
  await shown.getByText("Only visible to you").waitFor()
  const blocks = stage().sandbox.testBed.slack.ephemerals(ADA).at(-1)?.blocks ?? []
  const sent = chart.parse(blocks.find(({ type }) => type === "data_visualization"))
  const { categories } = sent.chart.axis_config
  const values = sent.chart.series.map(({ data }) => data.map(({ value }) => value))
  const written = (value: number) => value.toLocaleString("en-US")
  await shown
    .getByRole("img", { name: `bar chart, ${categories[0]} to ${categories[6]}: People between` })
    .waitFor()
  await shown.getByText("Numbers", { exact: true }).click()
  const rows = shown.getByRole("group", { name: "Chart numbers" }).getByRole("row")
  expect((await rows.allInnerTexts()).map((row) => row.split("\t"))).toEqual([
    ["Days (UTC)", "People", "AI"],
    ...categories.map((day, n) => [day, ...values.map((one) => written(one[n] ?? NaN))]),
  ])
})

test("another range and the next page edit the report in place", async () => {
  const { shown } = await report("14d")
  await shown.getByRole("img", { name: /^line chart/ }).waitFor()
  const pages = shown.getByRole("group", { name: /^Top pages/ })
  await pages.getByText("1–5 of").waitFor()

  await shown.getByRole("button", { name: "Next" }).click()
  await pages.getByText("6–10 of").waitFor()
  await shown.getByRole("button", { name: "Previous" }).click()
  await pages.getByText("1–5 of").waitFor()

  const range = shown.getByRole("combobox", { name: "Change dates" })
  await range.selectOption({ label: "Last 30 days" })
  await shown.getByRole("img", { name: /^bar chart/ }).waitFor()
  // The edited report has other options, of which none was chosen yet.
  expect(await range.locator("option:checked").textContent()).toBe("Change dates")
})

test("the CSV is downloaded whole from the direct messages", async () => {
  const { page, shown } = await report("7d")
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
