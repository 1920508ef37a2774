import { expect, test } from "vitest"
import { messages, say } from "../../helpers/at-the-page.ts"
import { useStage } from "../../helpers/browser.ts"
import { resumeAll } from "../../helpers/put-off.ts"

const stage = useStage()

test("an outage leaves an outcome unknown, and what is run again afterwards gets its pull request", async () => {
  const page = await stage().open()
  const { docs } = stage().sandbox.testBed
  const outage = docs.fail({ type: "status", status: 503 })
  await say(page, "/docs-agent wait for better times")
  const card = messages(page, "wait for better times").last()
  // A status of 503 doesn't say if the job was created.
  await card.getByText("Couldn't confirm that the agent started").waitFor()

  outage.clear()
  await card.getByRole("button", { name: "Run again", exact: true }).click()
  const question = page.getByRole("dialog", { name: "Run this again?" })
  await question.getByRole("button", { name: "Run again" }).click()
  // The outage paused the queue for a while.
  await resumeAll(stage().sandbox.testBed)
  await card.getByText("Pull request ready").waitFor()
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
