import { expect, test } from "vitest"
import { messages, say } from "../../helpers/at-the-page.ts"
import { useStage } from "../../helpers/browser.ts"
import { resumeAll } from "../../helpers/put-off.ts"

const stage = useStage()

test("an outage leaves an outcome unknown, and what is run again afterwards gets its pull request", async () => {
  const page = await stage().open()
  await page.getByRole("button", { name: "Service" }).click()
  const down = page.getByRole("switch", { name: "Down" })
  await down.click()
  await say(page, "/docs-agent wait for better times")
  const card = messages(page, "wait for better times").last()
  // A status of 503 doesn't say if the job was created.
  await card.getByText("Couldn't confirm that the agent started").waitFor()

  await down.click()
  await card.getByRole("button", { name: "Run again", exact: true }).click()
  const question = page.getByRole("dialog", { name: "Run this again?" })
  await question.getByRole("button", { name: "Run again" }).click()
  // The outage paused the queue for a while.
  await resumeAll(stage().sandbox.testBed)
  await card.getByText("Pull request ready").waitFor()
})

test("what the agent does next can be said beforehand", async () => {
  const page = await stage().open()
  await page.getByRole("button", { name: "Service" }).click()
  await page.getByRole("button", { name: "1 s", exact: true }).click()
  await page.getByRole("button", { name: "Fail: for the next job" }).click()
  await page.getByText("Next: Fail (1 s)").waitFor()
  await say(page, "/docs-agent fail this once")
  const card = messages(page, "fail this once").last()
  await card.getByText("couldn't finish").waitFor()
  await card.getByRole("button", { name: "Run again", exact: true }).waitFor()
  const jobs = page.getByRole("region", { name: "The local documentation service" })
  await jobs
    .getByRole("listitem")
    .filter({ hasText: "fail this once" })
    .getByText("failed")
    .waitFor()
})

test("a running job is ended by hand", async () => {
  const page = await stage().open()
  stage().sandbox.testBed.docs.plan({ ending: "never", afterMs: 0 })
  await say(page, "/docs-agent take your time")
  await messages(page, /Working on it[\s\S]*take your time/).waitFor()
  await page.getByRole("button", { name: "Service" }).click()
  await page.getByRole("button", { name: /^Control this job: take your time/ }).click()
  await page.getByRole("menuitem", { name: "Finish without one" }).click()
  await messages(page, /Finished without a pull request[\s\S]*take your time/).waitFor()
})

test("an expired key pauses the queue and shows as trouble at the switch", async () => {
  const page = await stage().open()
  await page.getByRole("button", { name: "Service" }).click()
  const expired = page.getByRole("switch", { name: "Key expired" })
  await expired.click()
  await say(page, "/docs-agent knock on the door")
  await messages(page, /replaces the API key[\s\S]*knock on the door/).waitFor()
  await expired.getByText(/hit \d+/).waitFor()
  await expired.click()
  await page.getByRole("switch", { name: "Key expired", checked: false }).waitFor()
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
