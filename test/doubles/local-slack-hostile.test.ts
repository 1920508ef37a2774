import fc from "fast-check"
import { afterEach, beforeEach, expect, it } from "vitest"
import { holds } from "../helpers/property.ts"
import { type LocalSlack, startLocalSlack } from "../sandbox/slack/local-slack.ts"
import { ADA, DOCS } from "../sandbox/slack/seed/ids.ts"
import { methods } from "../sandbox/slack/web-api/methods.ts"

const tokens = { bot: "xoxb-local", app: "xapp-local", none: "" }
let slack: LocalSlack

beforeEach(async () => {
  const { bot: botToken, app: appToken } = tokens
  slack = await startLocalSlack({ signingSecret: "s", botToken, appToken, mode: "http" })
})
afterEach(() => slack.close())

const blocks = fc.array(
  fc.record(
    {
      type: fc.constantFrom(
        "section",
        "actions",
        "input",
        "table",
        "data_visualization",
        "marquee",
      ),
      text: fc.jsonValue(),
      elements: fc.jsonValue(),
      rows: fc.jsonValue(),
      chart: fc.jsonValue(),
      block_id: fc.jsonValue(),
    },
    { requiredKeys: ["type"] },
  ),
)

/** Arguments close enough to good ones to get past the first checks. */
const args = fc.record(
  {
    channel: fc.oneof(fc.constantFrom(DOCS, ADA, "__proto__"), fc.jsonValue()),
    user: fc.oneof(fc.constant(ADA), fc.jsonValue()),
    text: fc.jsonValue(),
    ts: fc.jsonValue(),
    thread_ts: fc.jsonValue(),
    blocks: fc.oneof(blocks, fc.jsonValue()),
    metadata: fc.jsonValue(),
    view: fc.oneof(fc.record({ type: fc.constantFrom("modal", "home"), blocks }), fc.jsonValue()),
    files: fc.jsonValue(),
    cursor: fc.jsonValue(),
    limit: fc.jsonValue(),
    trigger_id: fc.jsonValue(),
  },
  { requiredKeys: [] },
)

it.each([...methods])("%s answers whatever it is asked", async (name, method) => {
  await holds(
    fc.asyncProperty(args, async (given) => {
      const response = await fetch(`${slack.apiUrl}${name}`, {
        method: "POST",
        headers: {
          "content-type": "application/json",
          authorization: `Bearer ${tokens[method.token]}`,
        },
        body: JSON.stringify(given),
      })
      expect(response.status).toBe(200)
      const answer: unknown = await response.json()
      expect(answer).toMatchObject({ ok: expect.any(Boolean) })
      expect(slack.violations.filter((one) => one.includes("failed on"))).toEqual([])
    }),
    25,
  )
})

it.each([
  ["JSON that is none", "application/json", "{"],
  ["JSON that is no object", "application/json", "[1]"],
  ["a body of no type", "", "x"],
])("answers %s with a refusal", async (_name, type, body) => {
  const headers = { "content-type": type, authorization: `Bearer ${tokens.bot}` }
  const response = await fetch(`${slack.apiUrl}chat.postMessage`, { method: "POST", headers, body })
  expect(await response.json()).toMatchObject({ ok: false })
  expect(slack.violations).toEqual([])
})
