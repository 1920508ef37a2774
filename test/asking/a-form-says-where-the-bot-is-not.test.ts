import { expect, test } from "vitest"
import { botSays } from "../helpers/reading.ts"
import { useTestBed } from "../helpers/test-bed.ts"
import { ADA, DOCS, RANDOM } from "../sandbox/slack/seed/ids.ts"

const testBed = useTestBed()

test("a form that names a channel where the bot is not says so, keeps the words, and goes on with another channel", async () => {
  const h = await testBed()
  h.docs.planAll({ ending: "pull_request", afterMs: 20 })
  h.slack.setBotMembership(RANDOM, false)
  const ada = h.slack.as(ADA)
  await ada.slash(RANDOM, "/docs-agent", "")
  await h.slack.until((slack) => slack.modal(ADA))
  const refused = await ada.submitModal({ prompt: "fix it in the docs" })
  expect(refused).toMatchObject({
    accepted: false,
    errors: { channel: "I'm not in that channel. Choose another one, or invite me there first." },
  })
  await ada.submitModal({ prompt: "fix it in the docs", channel: DOCS })
  await botSays(h, /Pull request ready/, { channel: DOCS })
})
