import { expect, test } from "vitest"
import {
  actAs,
  conversation,
  goTo,
  messages,
  replies,
  reply,
  say,
} from "../../helpers/at-the-page.ts"
import { useStage } from "../../helpers/browser.ts"

const stage = useStage()
const [ADA, BEN] = ["U0ADA00001", "U0BEN00001"]
const [DOCS, PARTNERS, LEADS] = ["C0DOCS0001", "C0SHARED01", "C0LEADS001"]

/** In the form that `chat.getPermalink` documents. */
function permalink(channel: string, ts: string): string {
  return `https://local-docs.slack.com/archives/${channel}/p${ts.replace(".", "")}`
}

test("an address outside of this machine is named and not opened", async () => {
  const page = await stage().open()
  const link = messages(page, "rotating API keys").getByText("https://docs.example.com/keys")
  await link.click()
  await page.getByText("opens nothing outside this machine").waitFor()
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

test("a link to a reply opens its thread, from another channel too", async () => {
  const page = await stage().open()
  const { slack } = stage().sandbox.testBed
  const [root] = slack.channel(DOCS).messages()
  if (root === undefined) throw new Error("There is no message")
  const answer = await slack.as(BEN).post(DOCS, "the reply in question", { thread: root.ts })
  await slack.as(BEN).post(PARTNERS, `see ${permalink(DOCS, answer.ts)}`)
  await goTo(page, "partners")

  await conversation(page)
    .getByRole("link", { name: /archives/ })
    .click()

  await replies(page, "the reply in question").waitFor()
  await reply(page, "found it")
  await replies(page, "found it").waitFor()
})

test("a link to what somebody cannot see says so, and leads nowhere", async () => {
  const page = await stage().open()
  const { slack } = stage().sandbox.testBed
  const secret = await slack.as(ADA).post(LEADS, "among us")
  await slack.as(ADA).post(DOCS, `here ${permalink(LEADS, secret.ts)}`)
  await actAs(page, "Ben")
  await messages(page, `here ${permalink(LEADS, secret.ts)}`)
    .getByRole("button", { name: /archives/ })
    .click()
  await page.getByText("That message is gone, or you can't see it").waitFor()
  await page.getByRole("textbox", { name: "Message #docs" }).waitFor()
})
