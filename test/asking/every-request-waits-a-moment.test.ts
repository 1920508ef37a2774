import { expect, test } from "vitest"
import { botMessages, botSays } from "../helpers/reading.ts"
import { useTestBed } from "../helpers/test-bed.ts"
import { ADA, DOCS } from "../sandbox/slack/index.ts"
import { SECRETS } from "../sandbox/test-bed.ts"

const testBed = useTestBed()

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
