import { expect } from "vitest"
import { botMessages, botSays, docsUntil } from "../../helpers/reading.ts"
import { useTestBed } from "../../helpers/test-bed.ts"
import { ADA, DOCS } from "../../sandbox/slack/index.ts"

const { test, testBed } = useTestBed({ env: { JOBS_PER_HOUR: "2", RESERVED_SLOTS: "0" } })

test("a request that is run again takes another slot of the hour", async (h) => {
  h.docs.planAll({ ending: "failed", afterMs: 20 })
  await h.slack.as(ADA).slash(DOCS, "/docs-agent", "this one fails twice")
  const reply = await botSays(h, /couldn't finish/)
  await h.slack.as(ADA).click(reply, "run_again")
  await docsUntil(h, (docs) => docs.creations.length === 2)
  await h.slack.until(
    (slack) => botMessages(slack).filter(({ threadTs }) => threadTs).length === 2 || undefined,
  )
  await h.slack.as(ADA).slash(DOCS, "/docs-agent", "this one has to wait")
  await botSays(h, /queued · starts around/)
  expect(h.docs.creations).toHaveLength(2)
})

test("a follow-up is sent, though Redis was started again before", async () => {
  const h = await testBed({ env: { JOBS_PER_HOUR: "9", START_DELAY_SECONDS: "1" } })
  h.docs.planAll({ ending: "no_pull_request", afterMs: 20 })
  await h.slack.as(ADA).slash(DOCS, "/docs-agent", "fix the quickstart now")
  const { threadTs: thread } = await botSays(h, /Finished without/)
  await h.slack.as(ADA).mention(DOCS, "and its second step", { thread })
  await botSays(h, /Starting in/)
  await h.services.limiter.slots.reseed()
  await docsUntil(h, (docs) => docs.creations.length === 2)
  expect(h.docs.creations[1]?.prompt).toContain("and its second step")
})
