import { expect, test } from "vitest"
import { messages, say } from "../../helpers/at-the-page.ts"
import { useStage } from "../../helpers/browser.ts"

const stage = useStage()

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
