import { mkdir, readFile, stat } from "node:fs/promises"
import { join } from "node:path"
import type { Page } from "playwright-core"
import { describe, expect, test } from "vitest"
import { axeFindings, goTo, messages, replies, reply, say } from "../../helpers/at-the-page.ts"
import { useStage } from "../../helpers/browser.ts"
import { temporaryFolder } from "../../helpers/temporary-folder.ts"
import { LOOKS, SIZE, takePictures } from "../../pictures/take.ts"

/** Folder for pictures that people look at after a change. */
const FOLDER = "coverage/pictures"
/** Screen height in px that fits the longest report: a picture is blank where it has to scroll. */
const WHOLE = 2000
const stage = useStage()

async function take(page: Page, name: string): Promise<void> {
  await mkdir(FOLDER, { recursive: true })
  const path = join(FOLDER, `${name}.png`)
  await page.mouse.move(0, 0)
  await page.screenshot({ path, animations: "disabled" })
  expect((await stat(path)).size).toBeGreaterThan(5_000)
}

/** Looks in which axe checks each picture, too. */
const WITH_AXE = new Set(["1280-light", "400-dark"])
/** Expects a page that fits its width: sideways scrolling means a broken layout. */
async function fits(page: Page): Promise<void> {
  const sideways = await page.evaluate(
    "document.documentElement.scrollWidth - document.documentElement.clientWidth",
  )
  expect(sideways).toBe(0)
}

const widths = [
  { width: 1280, height: 800 },
  { width: 400, height: 800 },
] as const

describe.each(widths)("$width px", (viewport) => {
  test.for(["light", "dark"] as const)("%s", async (colorScheme, { task }) => {
    const look = `${viewport.width}-${colorScheme}`
    const page = await stage().open({ colorScheme, viewport })
    const picture = async (name: string) => {
      await fits(page)
      await take(page, `${name}-${look}`)
      if (WITH_AXE.has(look)) expect(await axeFindings(page)).toEqual([])
    }
    const tries = task.result?.retryCount ?? 0
    // The bot would first ask about a request in the same words as another's.
    const prompt = `fix the quickstart for ${look}${", please".repeat(tries)}`
    await say(page, `/docs-agent ${prompt}`)
    const card = messages(page, prompt).last()
    await card.getByText("Pull request ready").waitFor()
    await picture("card")

    await card.getByText("1 reply").click()
    await reply(page, `@docs-agent say the same on the install page for ${look}`)
    await replies(page, /Updated/)
      .last()
      .waitFor()
    await picture("thread")
    await page.getByRole("button", { name: "Close panel" }).click()

    await say(page, "/docs-agent")
    await page.getByRole("dialog").getByRole("button", { name: "Send request" }).click()
    await page.getByRole("dialog").getByRole("alert").filter({ hasText: "required" }).waitFor()
    await picture("form")
    await page.keyboard.press("Escape")
    await page.getByRole("dialog").waitFor({ state: "hidden" })

    const reports = await messages(page, /Docs visitors/).count()
    await say(page, "/docs-visitors 30d")
    const report = messages(page, /Docs visitors/).nth(reports)
    const chart = report.getByRole("figure")
    await chart.waitFor()
    // The first screen shows totals, change and chart between the header and the composer.
    const [top, drawn, head, composer] = await Promise.all(
      [
        report.getByRole("heading").first(),
        chart.getByRole("img"),
        page.getByRole("heading", { name: "docs", level: 2 }),
        page.getByRole("textbox", { name: "Message #docs" }),
      ].map((part) => part.boundingBox()),
    )
    if (!top || !drawn || !head || !composer) throw new Error("a part of the page is not there")
    expect(top.y).toBeGreaterThanOrEqual(head.y + head.height)
    expect(drawn.y + drawn.height).toBeLessThanOrEqual(composer.y)
    await picture("visitors")
    await page.setViewportSize({ ...viewport, height: WHOLE })
    await report.screenshot({ path: join(FOLDER, `report-${look}.png`), animations: "disabled" })
    await page.setViewportSize(viewport)

    if (viewport.width < 760) await page.getByRole("button", { name: "Channels" }).click()
    await goTo(page, "Docs Agent")
    await page.getByText("Ask for a docs change").waitFor()
    await picture("home")
  })
})

test("the README's pictures can be taken again, each in its look", async () => {
  const folder = await temporaryFolder()
  await takePictures(folder)
  const pictures = await Promise.all(Object.keys(LOOKS).map((name) => readFile(join(folder, name))))
  for (const picture of pictures) {
    // "Width 4 bytes, Height 4 bytes", after the PNG's signature and first chunk header.
    const size = { width: picture.readUInt32BE(16), height: picture.readUInt32BE(20) }
    expect(size).toEqual(SIZE)
  }
  expect(pictures[0]?.equals(pictures[1] ?? Buffer.of())).toBe(false)
  const shown = Object.keys(LOOKS).map((name) => `.github/pictures/${name}`)
  const readme = await readFile("README.md", "utf8")
  expect(shown.filter((path) => !readme.includes(path))).toEqual([])
})
