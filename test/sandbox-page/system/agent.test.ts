import type { Page } from "playwright-core"
import { beforeEach, describe, expect, test } from "vitest"
import { actAs, axeFindings, conversation, goTo, messages } from "../../helpers/at-the-page.ts"
import { useStage } from "../../helpers/browser.ts"
import { clientOf, quiet } from "../../helpers/local-slack.ts"
import { ADA_DM, DOCS } from "../../sandbox/slack/index.ts"
import { SECRETS } from "../../sandbox/test-bed.ts"

const stage = useStage()
beforeEach(() => stage().sandbox.testBed.slack.agents.set("declared"))

/** Starts a session that the bot doesn't know: the page must show any session. */
async function atWork(words: string) {
  const client = clientOf(stage().sandbox.testBed.slack, SECRETS.botToken)
  const { ts = "" } = await client.chat.postMessage({ channel: DOCS, text: words, ...quiet })
  const reply = { channel: DOCS, thread_ts: ts, text: "On it.", ...quiet }
  await client.chat.postMessage(reply)
  const session = { channel_id: DOCS, thread_ts: ts, title: `Session of ${words}` }
  const set = (status: string) => client.agents.sessions.setStatus({ ...session, status })
  await set("processing")
  return { ts, set }
}

describe.each([
  ["light", { width: 1280, height: 800 }, "Fix broken links"],
  ["dark", { width: 400, height: 800 }, "Correct typos"],
] as const)("%s, %j", (colorScheme, viewport, title) => {
  test("a session shows that it is at work, has a title and is stopped by its button", async () => {
    const words = `root in ${colorScheme}`
    const page = await stage().open({ colorScheme, viewport })
    const { ts, set } = await atWork(words)
    const root = messages(page, words).last()
    await root.getByText("Session in progress").waitFor()
    expect(await axeFindings(page)).toEqual([])
    await root.getByText("1 reply").click()
    await page.getByRole("heading", { name: `Session of ${words}` }).waitFor()
    expect(await axeFindings(page)).toEqual([])
    const { slack } = stage().sandbox.testBed
    await page.getByRole("button", { name: "Stop" }).last().click()
    await slack.until(({ deliveries }) =>
      deliveries.some(({ delivery }) => {
        const { event } = delivery.payload
        const text = JSON.stringify(event ?? null)
        return text.includes("agent_session_stopped") && text.includes(ts)
      }),
    )
    await set("active")
    await page.getByRole("button", { name: "Stop" }).first().waitFor({ state: "detached" })
    await page.getByText("Ready", { exact: true }).waitFor()
  })

  test("the Messages tab has what the manifest suggests, and a choice is a request", async () => {
    const page = await stage().open({ colorScheme, viewport, at: `/#/U0ADA00001/${ADA_DM}` })
    const suggested = page.getByRole("region", { name: "Suggested requests" })
    await suggested.waitFor()
    expect(await axeFindings(page)).toEqual([])
    const choice = suggested.getByRole("button", { name: title })
    const request = (await choice.getAttribute("title")) ?? ""
    await choice.click()
    await messages(page, request).last().waitFor()
    const { docs } = stage().sandbox.testBed
    await expect
      .poll(() => docs.creations.filter(({ prompt }) => prompt.includes(request)).length)
      .toBe(1)
  })
})

test("as an ordinary app it has no suggestions, and Cleo opens her first conversation", async () => {
  const page = await stage().open()
  await actAs(page, "Cleo")
  await choose(page, "An ordinary app")
  await goTo(page, "Docs Agent")
  await page.getByRole("button", { name: "Messages" }).click()
  await conversation(page).getByRole("textbox", { name: "Message Docs Agent" }).waitFor()
  const suggested = page.getByRole("region", { name: "Suggested requests" })
  expect(await suggested.count()).toBe(0)
  await choose(page, "An agent")
  await suggested.waitFor()
})

async function choose(page: Page, surface: string): Promise<void> {
  await page.getByRole("combobox", { name: "The app is" }).selectOption(surface)
}
