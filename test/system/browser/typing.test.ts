import type { Page } from "playwright-core"
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

const composer = (page: Page) => conversation(page).getByRole("textbox", { name: /^Message / })
const form = (page: Page) => page.getByRole("dialog", { name: "Request a change" })

/** The same words twice would be asked about first. */
let requests = 0
const closings: readonly [name: string, close: (page: Page) => Promise<void>][] = [
  ["Escape", (page) => page.keyboard.press("Escape")],
  ["its button", (page) => form(page).getByRole("button", { name: "Close" }).click()],
  [
    "sending it",
    async (page) => {
      requests += 1
      await form(page)
        .getByRole("textbox", { name: /change/ })
        .fill(`request ${requests}`)
      await form(page).getByRole("button", { name: "Send request" }).click()
    },
  ],
]
const openings: readonly [name: string, open: (page: Page) => Promise<void>][] = [
  ["the keyboard", (page) => say(page, "/docs-agent")],
  [
    "the button for sending",
    async (page) => {
      await composer(page).fill("/docs-agent")
      await page.getByRole("button", { name: "Send" }).click()
    },
  ],
  [
    "a message's menu",
    async (page) => {
      const message = messages(page, "Is there a page on rotating API keys?")
      await message.hover()
      await message.getByRole("button", { name: "More actions" }).click()
      await page.getByRole("menuitem", { name: /Ask the docs agent/ }).click()
    },
  ],
]
const ways = openings.flatMap(([by, open]) =>
  closings.map(([how, close]) => [by, how, open, close] as const),
)

test.each(ways)("typing goes on after a form that %s opened and %s closed", async (...way) => {
  const [, , open, close] = way
  const page = await stage().open()
  await open(page)
  await form(page).waitFor()
  await close(page)
  await form(page).waitFor({ state: "hidden" })
  await page.keyboard.type("and on")
  expect(await composer(page).inputValue()).toBe("and on")
})

test("typing goes on in the thread after a form that was opened there", async () => {
  const page = await stage().open()
  await messages(page, "The quickstart still says Node 18").getByText("2 replies").click()
  const message = replies(page, "We need 20.19")
  await message.hover()
  await message.getByRole("button", { name: "More actions" }).click()
  await page.getByRole("menuitem", { name: /Ask the docs agent/ }).click()
  await form(page).waitFor()
  await page.keyboard.press("Escape")
  await form(page).waitFor({ state: "hidden" })
  await page.keyboard.type("and on")
  expect(await page.getByRole("textbox", { name: "Reply…" }).inputValue()).toBe("and on")
})

test("what somebody began to type is there when they come back, each at its place", async () => {
  const page = await stage().open()
  await composer(page).fill("half a line in docs")
  const thread = () => messages(page, "The quickstart still says Node 18").getByText("2 replies")
  await thread().click()
  await page.getByRole("textbox", { name: "Reply…" }).fill("half a reply")
  await goTo(page, "editors")
  expect(await composer(page).inputValue()).toBe("")
  await composer(page).fill("half a line in editors")
  await actAs(page, "Cleo")
  expect(await composer(page).inputValue()).toBe("")
  await actAs(page, "Ada")
  expect(await composer(page).inputValue()).toBe("half a line in editors")
  await goTo(page, "docs")
  expect(await composer(page).inputValue()).toBe("half a line in docs")
  await thread().click()
  expect(await page.getByRole("textbox", { name: "Reply…" }).inputValue()).toBe("half a reply")

  await reply(page, "a whole reply")
  await replies(page, "a whole reply").waitFor()
  await page.getByRole("button", { name: "Close this side" }).click()
  await messages(page, "The quickstart still says Node 18").getByText("3 replies").click()
  expect(await page.getByRole("textbox", { name: "Reply…" }).inputValue()).toBe("")
})
