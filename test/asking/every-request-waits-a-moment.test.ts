import { expect, test } from "vitest"
import { botMessages, botSays, buttonsOf } from "../helpers/reading.ts"
import { useTestBed } from "../helpers/test-bed.ts"
import { ADA, DOCS } from "../sandbox/slack/index.ts"
import { SECRETS } from "../sandbox/test-bed.ts"

const { testBed } = useTestBed()

async function oneAnHour() {
  const h = await testBed({
    env: { START_DELAY_SECONDS: "1", JOBS_PER_HOUR: "1", RESERVED_SLOTS: "0" },
  })
  h.docs.planAll({ ending: "pull_request", afterMs: 20 })
  return { h, ada: h.slack.as(ADA) }
}

test("LIM-3: after its moment a request starts, or says where it stands in the queue", async () => {
  const { h, ada } = await oneAnHour()
  await ada.slash(DOCS, "/docs-agent", "fix it in the docs")
  await botSays(h, /request is ready/)
  await ada.slash(DOCS, "/docs-agent", "name the limits")
  const card = await botSays(h, /name the limits[\s\S]*queued · starts around [\s\S]*next in line/)
  // Slack shows it in the time zone of each reader.
  const [, startsAt] = /starts around <!date\^(\d+)\^/.exec(JSON.stringify(card.blocks)) ?? []
  expect(Number(startsAt) - Date.now() / 1000).toBeGreaterThan(3000)
  expect(botMessages(h.slack)).toHaveLength(3)
  expect(h.docs.jobs(SECRETS.project)).toHaveLength(1)
})

test("ASK-12: Cancel within the moment leaves no job, and the next request has all of the hour", async () => {
  const { h, ada } = await oneAnHour()
  await ada.slash(DOCS, "/docs-agent", "fix it in the docs")
  await ada.click(await botSays(h, /Starting in a moment/), "cancel")
  await botSays(h, /Cancelled before it started/)
  // The second one's moment begins later: once it has started, the first one's is over.
  await ada.slash(DOCS, "/docs-agent", "name the limits")
  await botSays(h, /request is ready/)
  expect(h.docs.creations.map(({ prompt }) => prompt)).toEqual([
    expect.stringContaining("name the limits"),
  ])
})

test("ASK-12: Cancel takes back what its card showed, and not what joined it in that moment", async () => {
  const h = await testBed({ env: { START_DELAY_SECONDS: "60" }, goesOn: "a request waits" })
  const root = await h.slack.as(ADA).mention(DOCS, "write the guide")
  const thread = { thread: root.ts }
  const seen = await botSays(h, /Starting in a moment/, thread)
  await h.slack.as(ADA).mention(DOCS, "and name the limits", thread)
  await h.slack.as(ADA).click(seen, "cancel")
  const card = await h.slack.until((s) =>
    botMessages(s).find(({ text }) => /name the limits/.test(text) && !/the guide/.test(text)),
  )
  expect(buttonsOf(card)).toContain("cancel")
  await h.slack.as(ADA).click(card, "cancel")
  await botSays(h, /Cancelled before it started/, thread)
  const { shown } = await h.slack.as(ADA).slash(DOCS, "/docs-agent", "quota")
  expect(shown?.text).toMatch(/^There's room for your next request\./)
})

test("ASK-12: the first post of a card names what joined before it, and its Cancel takes back all", async () => {
  const h = await testBed({ env: { START_DELAY_SECONDS: "60" } })
  const away = h.slack.fail({
    kind: "error",
    error: "internal_error",
    method: "chat.postMessage",
  })
  const root = await h.slack.as(ADA).mention(DOCS, "write the guide")
  await h.slack.until(() => away.hits > 0)
  await h.slack.as(ADA).mention(DOCS, "and name the limits", { thread: root.ts })
  const cards: string[] = []
  h.slack.subscribe((change) => {
    if (change.type !== "message_posted" || !/Starting in a moment/.test(change.message.text))
      return
    cards.push(JSON.stringify(change.message.blocks))
    void h.slack.as(ADA).click(change.message, "cancel", { index: 0 })
  })
  away.clear()
  await botSays(h, /Cancelled before it started/, { thread: root.ts })
  expect(cards).toEqual([expect.stringMatching(/A follow-up is included: “and name the limits”/)])
})
