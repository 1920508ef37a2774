import { expect, it } from "vitest"
import { useLocalSlack } from "../helpers/local-slack.ts"
import { ADA, BEN, DOCS, GUS, LEADS, OLD_DOCS } from "../sandbox/slack/index.ts"

const h = useLocalSlack()

it("lets nobody write where Slack would not let them", async () => {
  await expect(h.slack.as(BEN).post(LEADS, "hi")).rejects.toThrow("Ben is not in #leads")
  await expect(h.slack.as(ADA).slash(OLD_DOCS, "/docs-agent")).rejects.toThrow("is archived")
  expect(() => h.slack.as("U0NOBODY")).toThrow("no user U0NOBODY")
})

it.each([
  ["@Docs Agent fix it", "<@U0DOCSAGENT> fix it"],
  ["@docs agent, please", "<@U0DOCSAGENT>, please"],
  ["@docs-agent fix it", "<@U0DOCSAGENT> fix it"],
  ["(@Ben) and @ada", "(<@U0BEN00001>) and <@U0ADA00001>"],
  ["@Docs Agents and @Benny", "@Docs Agents and @Benny"],
  ["mail a@Docs Agent", "mail a@Docs Agent"],
  ["@Docs", "@Docs"],
])("stores %j as %j", async (typed, stored) => {
  expect((await h.slack.as(ADA).post(DOCS, typed)).text).toBe(stored)
})

it("sends a command's text as typed, with three entities, while escaping is off", async () => {
  const typed = "ask @ben about #random at https://example.com/a & <b>"
  const { payload } = await h.slack.as(ADA).slash(DOCS, "/docs-agent", typed)
  expect(payload.text).toBe("ask @ben about #random at https://example.com/a &amp; &lt;b&gt;")
})

it("keeps no copy of a private message, whose button its reader alone can click", async () => {
  const button = { type: "button", action_id: "page", text: { type: "plain_text", text: "Next" } }
  const blocks = [{ type: "actions", elements: [button] }]
  const message = { channel: DOCS, user: GUS, text: "only you", blocks }
  const { message_ts } = await h.client.chat.postEphemeral(message)
  const ref = { channel: DOCS, ts: String(message_ts) }
  await h.slack.as(GUS).click(ref, "Next")
  const payload = h.slack.deliveries.at(-1)?.delivery.payload
  expect(payload).toMatchObject({ container: { is_ephemeral: true } })
  expect(payload).not.toHaveProperty("message")
  await expect(h.slack.as(ADA).click(ref, "Next")).rejects.toThrow("Ada can't see message")
})
