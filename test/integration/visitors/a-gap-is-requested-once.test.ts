import { describe, expect, test } from "vitest"
import { botSays, toldPrivately } from "../../helpers/reading.ts"
import { useVisitors, type VisitorsBed } from "../../helpers/visitors.ts"
import { ADA, BEN, DOCS } from "../../sandbox/slack/seed/ids.ts"
import type { Message } from "../../sandbox/slack/workspace/model.ts"

const bed = useVisitors({ followsPulls: true })
const REQUESTED = /“scim”\*\\n[^"]*\|already requested>/

interface Row {
  accessory?: object
  text?: { text: string }
}

/** Returns the index of the gap's button, or -1 without one. */
function buttonOf(message: Message): number {
  const rows = (message.blocks as readonly Row[]).filter(({ accessory }) => accessory)
  return rows.findIndex(({ text }) => text?.text.includes("“scim”"))
}

/** Lets Ada request a gap, while Ben still has the list from before. */
async function requested(ending: "never" | "failed" | "pull_request") {
  const h = await bed()
  h.docs.planAll({ ending, afterMs: 20 })
  const before = await h.ask(BEN, "gaps")
  const list = await h.ask(ADA, "gaps")
  await h.slack.as(ADA).click(list, "gaps_ask", { index: buttonOf(list) })
  await h.slack.until((s) => s.modal(ADA))
  await h.slack.as(ADA).submitModal()
  return { h, before }
}

const clicked = ({ slack }: VisitorsBed, message: Message) =>
  slack.as(BEN).click(message, "gaps_ask", { index: buttonOf(message) })

describe("a gap that is requested", () => {
  test("says so with a link to the card while the request runs, in the list and to a click", async () => {
    const { h, before } = await requested("never")
    const card = await botSays(h, /Working on it/)
    const list = await h.ask(BEN, "gaps")
    expect(JSON.stringify(list.blocks)).toMatch(REQUESTED)
    expect(JSON.stringify(list.blocks)).toContain(`/archives/${DOCS}/p${card.ts.replace(".", "")}`)
    expect(buttonOf(list)).toBe(-1)
    await clicked(h, before)
    await toldPrivately(h, BEN, /^Already requested\b.*mention me/)
    expect(h.slack.modal(BEN)).toBeUndefined()
    expect(h.docs.creations).toHaveLength(1)
  })

  test("says so until the pull request is merged, and is offered again then", async () => {
    const { h, before } = await requested("pull_request")
    await botSays(h, /request is ready/)
    expect(JSON.stringify((await h.ask(BEN, "gaps")).blocks)).toMatch(REQUESTED)
    const [pull] = h.github.pulls()
    if (!pull) throw new Error("No pull request was opened")
    h.github.act(pull.repository, pull.number, { do: "merge", by: "ben" })
    await botSays(h, /Merged by ben/)
    const list = await h.ask(BEN, "gaps")
    expect(JSON.stringify(list.blocks)).not.toMatch(REQUESTED)
    expect(buttonOf(list)).toBeGreaterThanOrEqual(0)
    await clicked(h, before)
    await h.slack.until((s) => s.modal(BEN))
  })

  test("is offered again when the request ended without a pull request, until that is edited and run again", async () => {
    const { h } = await requested("failed")
    const result = await botSays(h, /couldn't finish/)
    expect(buttonOf(await h.ask(BEN, "gaps"))).toBeGreaterThanOrEqual(0)
    h.docs.planAll({ ending: "never", afterMs: 0 })
    await h.slack.as(ADA).click(result, "edit_and_run")
    await h.slack.until((s) => s.modal(ADA))
    await h.slack.as(ADA).submitModal({ prompt: "cover SCIM in the admin guide" })
    await botSays(h, /Working on it/)
    expect(buttonOf(await h.ask(BEN, "gaps"))).toBe(-1)
  })
})
