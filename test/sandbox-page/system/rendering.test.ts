import type { Page } from "playwright-core"
import { expect, test } from "vitest"
import { messages } from "../../helpers/at-the-page.ts"
import { useStage } from "../../helpers/browser.ts"
import { clientOf, quiet } from "../../helpers/local-slack.ts"
import { emojiNames } from "../../sandbox/page/mrkdwn/emoji.ts"
import { BEN, DOCS } from "../../sandbox/slack/index.ts"
import { SECRETS } from "../../sandbox/test-bed.ts"

const stage = useStage()

async function post(text: string, blocks: object[] = []): Promise<void> {
  const client = clientOf(stage().sandbox.testBed.slack, SECRETS.botToken)
  await client.apiCall("chat.postMessage", { channel: DOCS, text, blocks, ...quiet })
}

const mrkdwn = (text: string) => ({ type: "section", text: { type: "mrkdwn", text } })

test("a message that looks like the end of a script is text in the first view too", async () => {
  const hostile = "</script><script>document.title = 'owned'</script><!-- <script>"
  await stage().sandbox.testBed.slack.as(BEN).post(DOCS, hostile)
  const page = await stage().open()
  await messages(page, hostile).waitFor()
  expect(await page.title()).toBe("Docs Agent sandbox")
  expect(await page.locator("#page script").count()).toBe(0)
})

test("text is never markup of the page", async () => {
  const page = await stage().open()
  const hostile = `<img src=x onerror="document.title='owned'"> <script>1</script>`
  const escaped = hostile.replaceAll("<", "&lt;").replaceAll(">", "&gt;")
  await post("hostile", [
    { type: "section", text: { type: "plain_text", text: hostile } },
    mrkdwn(escaped),
    {
      type: "rich_text",
      elements: [{ type: "rich_text_section", elements: [{ type: "text", text: hostile }] }],
    },
    mrkdwn("<javascript:alert(1)|press me> not a link"),
  ])
  const shown = messages(page, "not a link")
  await shown.waitFor()
  expect((await shown.innerText()).split("onerror=").length).toBe(4)
  expect(await shown.locator("img, script, a").count()).toBe(0)
  expect(await page.title()).toBe("Docs Agent sandbox")
})

/** Returns the fonts that the browser actually uses for an element's content. */
async function fontsOf(page: Page, selector: string): Promise<string[]> {
  const tools = await page.context().newCDPSession(page)
  await tools.send("DOM.enable")
  await tools.send("CSS.enable")
  const { root } = await tools.send("DOM.getDocument")
  const { nodeIds } = await tools.send("DOM.querySelectorAll", { nodeId: root.nodeId, selector })
  const drawn = await Promise.all(
    nodeIds.map((nodeId) => tools.send("CSS.getPlatformFontsForNode", { nodeId })),
  )
  return drawn.flatMap(({ fonts }) => fonts.map(({ familyName }) => familyName))
}

test("every emoji is drawn, on a machine without a font for them too", async () => {
  const page = await stage().open()
  await post("emoji", [mrkdwn(`every emoji ${emojiNames.map((name) => `:${name}:`).join(" ")}`)])
  await messages(page, "every emoji").getByRole("img", { name: "zap" }).waitFor()
  await page.evaluate("document.fonts.ready")
  const fonts = await fontsOf(page, ".emoji")
  expect(fonts.length).toBeGreaterThanOrEqual(emojiNames.length)
  expect(new Set(fonts)).toEqual(new Set(["Twemoji Mozilla"]))
})
