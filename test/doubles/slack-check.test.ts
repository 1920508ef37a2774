import { expect, test } from "vitest"
import { useLocalSlack } from "../helpers/local-slack.ts"
import { check } from "../slack-check/check.ts"
import { mrkdwn, text } from "./block-kit/cases.ts"

const h = useLocalSlack()

test("the check of all messages by Slack names each fault and its place, and passes good ones", async () => {
  const { client } = h
  const section = { type: "section", text: mrkdwn("x") }
  expect(await check(client, { name: "good", message: { blocks: [section] } })).toEqual([])
  const home = { type: "home", blocks: [section] }
  expect(await check(client, { name: "good", view: home })).toEqual([])
  const header = { type: "header", text: mrkdwn("x") }
  const faults = await check(client, { name: "bad", message: { blocks: [section, header] } })
  expect(faults).toEqual(["must be one of: plain_text at /blocks/1/text/type"])
  const modal = { type: "modal", title: text("x".repeat(25)), blocks: [] }
  expect(await check(client, { name: "bad", view: modal })).toHaveLength(1)
  expect(h.slack.violations).toEqual([])
})
