import { expect, test } from "vitest"
import { conversation, goTo, messages, say } from "../../helpers/at-the-page.ts"
import { useStage } from "../../helpers/browser.ts"

const stage = useStage()
const BEN = "U0BEN00001"
const DOCS = "C0DOCS0001"

test("an address outside of this machine is named and not opened", async () => {
  const page = await stage().open()
  const link = messages(page, "rotating API keys").getByText("https://docs.example.com/keys")
  await link.click()
  await page.getByText("can't open links outside this machine").waitFor()
  expect(page.context().pages()).toHaveLength(1)
  expect(await conversation(page).locator("a[href^='https:']").count()).toBe(0)
})

test("a job of the Home tab leads to its card, without leaving the page", async () => {
  const page = await stage().open()
  await say(page, "/docs-agent look behind the links")
  await messages(page, /Pull request ready[\s\S]*behind the links/).waitFor()
  const { slack } = stage().sandbox.testBed
  for (let n = 0; n < 30; n += 1) await slack.as(BEN).post(DOCS, `further talk ${n}`)
  await goTo(page, "Docs Agent")

  await page.getByRole("link", { name: "look behind the links" }).click()

  await page.getByRole("textbox", { name: "Message #docs" }).waitFor()
  const card = messages(page, /Pull request ready[\s\S]*behind the links/)
  await card.and(page.locator(":focus")).waitFor()
  const { y = 0, height = 0 } = (await card.boundingBox()) ?? {}
  expect(y).toBeGreaterThan(0)
  expect(y + height).toBeLessThan(800)
  expect(page.context().pages()).toHaveLength(1)
})
