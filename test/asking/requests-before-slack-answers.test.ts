import { expect, test } from "vitest"
import { botSays, toldPrivately } from "../helpers/reading.ts"
import { useTestBed } from "../helpers/test-bed.ts"
import type { FaultHandle } from "../sandbox/kit/fault-board.ts"
import { ADA, DOCS } from "../sandbox/slack/index.ts"

const { testBed } = useTestBed()

/** Starts a bot that can't yet get its own identity from Slack. */
async function aStranger() {
  const faults: FaultHandle[] = []
  const h = await testBed({
    onOtherParties: ({ slack }) =>
      void faults.push(slack.fail({ kind: "error", error: "internal_error", method: "auth.test" })),
  })
  return { h, slackAnswers: () => faults.map((fault) => fault.clear()) }
}

test("a mention is left to Slack to repeat, and then its words are understood", async () => {
  const { h, slackAnswers } = await aStranger()

  const { deliveries } = await h.slack.as(ADA).mention(DOCS, "status")
  expect(deliveries.map(({ ok }) => ok)).toEqual([false])

  slackAnswers()
  await h.slack.redeliver(undefined, { number: 1, reason: "http_error" })
  await toldPrivately(h, ADA, /No recent requests/)
  expect(h.docs.creations).toEqual([])
})

test("a command is durable at once, and sent as soon as Slack answers", async () => {
  const { h, slackAnswers } = await aStranger()
  h.docs.planAll({ ending: "pull_request", afterMs: 20 })
  const early = await h.slack.as(ADA).slash(DOCS, "/docs-agent", "fix it in the docs")
  expect(early.shown).toBeUndefined()
  slackAnswers()
  await botSays(h, /request is ready/)
  expect(h.docs.creations.map(({ prompt }) => prompt)).toEqual(["fix it in the docs"])
})
