import { WebClient } from "@slack/web-api"
import { expect, test } from "vitest"
import { listen } from "../sandbox/kit/http-server.ts"
import { check } from "../slack-check/check.ts"

/** Answers in the form that blocks.validate documents. */
const fault = { pointer: "/blocks/1/text/type", message: "must be one of: plain_text" }
const REFUSAL = { ok: false, error: "invalid_message", errors: [fault] }

test("the check of all messages by Slack names each fault and its place, and passes good ones", async () => {
  const answers: object[] = [{ ok: true }, REFUSAL, { ok: false, error: "invalid_auth" }]
  const slack = await listen(0, (_, response) => response.end(JSON.stringify(answers.shift())))
  const client = new WebClient("xoxb-any", { slackApiUrl: slack.url })
  const asked = () => check(client, { name: "any", message: { blocks: [] } })
  expect(await asked()).toEqual([])
  expect(await asked()).toEqual(["must be one of: plain_text at /blocks/1/text/type"])
  await expect(asked()).rejects.toThrow("invalid_auth")
  await slack.close()
})
