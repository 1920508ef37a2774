import { expect, test } from "vitest"
import { conversation, goTo, messages, replies, reply, say } from "../../helpers/at-the-page.ts"
import { useStage } from "../../helpers/browser.ts"
import { BEN, DOCS } from "../../sandbox/slack/index.ts"

const stage = useStage()

test("a command is completed, becomes a card, and its pull request can be read", async () => {
  const page = await stage().open()
  const composer = page.getByRole("textbox", { name: "Message #docs" })

  await composer.pressSequentially("/docs-a")
  await page.getByRole("option", { name: /^\/docs-agent/ }).waitFor()
  await composer.press("Tab")
  expect(await composer.inputValue()).toBe("/docs-agent ")
  await composer.pressSequentially("fix the quickstart")
  await page.getByText("<what to change> | help").waitFor()
  await composer.press("Enter")

  const card = messages(page, "fix the quickstart").last()
  const [change] = await Promise.all([
    page.context().waitForEvent("page"),
    card.getByRole("link", { name: "View pull request" }).click(),
  ])
  await change.getByRole("heading", { level: 1 }).waitFor()
  const added = change.locator(".added").filter({ hasText: "Node.js 20.19" })
  expect(await added.count()).toBe(1)
})

test("a mention in a thread brings the talk along, and another one follows up", async () => {
  const page = await stage().open()
  await messages(page, "The quickstart still says Node 18").getByText("2 replies").click()
  const thread = page.getByRole("textbox", { name: "Reply…" })

  await thread.pressSequentially("@docs")
  await thread.press("Enter")
  await thread.pressSequentially("please correct that")
  await thread.press("Enter")
  await replies(page, /@Ada.*pull request is ready/)
    .first()
    .waitFor()
  const { docs } = stage().sandbox.testBed
  const { creations } = docs
  expect(creations.at(-1)?.prompt).toContain("We've required 20.19 since the last release.")
  const before = creations.length

  await reply(page, "@Docs Agent, and mention it in the changelog")
  await replies(page, /Updated/)
    .last()
    .waitFor()
  expect(creations.length).toBe(before)
  const [message] = docs.job(creations.at(-1)?.jobId ?? "")?.messages ?? []
  expect(message?.prompt).toContain("mention it in the changelog")
})

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

test("a page that lost the sandbox says so, and goes on when it is back", async () => {
  const page = await stage().open()
  await page.context().setOffline(true)
  await say(page, "nobody hears this")
  await page.getByRole("alert").filter({ hasText: "isn't responding" }).waitFor()
  await page.context().setOffline(false)
  const composer = page.getByRole("textbox", { name: "Message #docs" })
  expect(await composer.inputValue()).toBe("nobody hears this")
  await composer.press("Enter")
  await messages(page, "nobody hears this").waitFor()
  expect(await messages(page, "nobody hears this").count()).toBe(1)
})
