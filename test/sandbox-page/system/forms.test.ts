import { expect, test } from "vitest"
import { goTo, messages, say } from "../../helpers/at-the-page.ts"
import { useStage } from "../../helpers/browser.ts"

const stage = useStage()

test("the form says what is missing, keeps what was typed, and sends", async () => {
  const page = await stage().open()
  await say(page, "/docs-agent")
  const form = page.getByRole("dialog", { name: "Request a change" })
  await form.locator("textarea:focus").waitFor()
  await form.getByRole("button", { name: "Send request" }).click()

  await form.getByRole("alert").filter({ hasText: "complete this required field" }).waitFor()
  const prompt = form.getByRole("textbox", { name: "What should change in the docs?" })
  expect(await prompt.getAttribute("aria-invalid")).toBe("true")
  await form.locator("textarea:focus").waitFor()

  await prompt.fill("explain webhooks\nwith an example")
  await form.getByRole("combobox", { name: /Channel for updates/ }).selectOption("#editors")
  await form.getByRole("button", { name: "Send request" }).click()
  await form.waitFor({ state: "hidden" })
  await goTo(page, "editors")
  await messages(page, /Pull request ready[\s\S]*explain webhooks\s+with an example/).waitFor()
})

test("a message's shortcut opens the form with the message quoted", async () => {
  const page = await stage().open()
  const message = messages(page, "The quickstart still says Node 18.")
  await message.hover()
  await message.getByRole("button", { name: "Ask the docs agent" }).click()
  const form = page.getByRole("dialog", { name: "Request a change" })
  await form.getByText("The quickstart still says Node 18.").waitFor()
  await page.keyboard.press("Escape")
  await form.waitFor({ state: "hidden" })
})

test("the global shortcut opens the form empty", async () => {
  const page = await stage().open()
  await page.locator(".composer").getByRole("button", { name: "Ask the docs agent" }).click()
  const form = page.getByRole("dialog", { name: "Request a change" })
  expect(await form.getByRole("textbox", { name: /What should change/ }).inputValue()).toBe("")
})

test("the Home tab tells of jobs and opens the form", async () => {
  const page = await stage().open()
  await goTo(page, "Docs Agent")
  const home = page.getByRole("region", { name: "Home tab" })
  await home.getByText("Ask for a docs change").waitFor()
  await home.getByText("explain webhooks").waitFor()
  await home.getByRole("button", { name: "Request a change" }).click()
  const form = page.getByRole("dialog", { name: "Request a change" })
  await form.getByRole("button", { name: "Cancel", exact: true }).click()
  await form.waitFor({ state: "hidden" })
})
