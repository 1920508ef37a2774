import { expect, test } from "vitest"
import { messages, replies, reply } from "../../helpers/at-the-page.ts"
import { useStage } from "../../helpers/browser.ts"

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
