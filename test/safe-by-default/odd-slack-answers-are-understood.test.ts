import { afterAll, beforeAll, expect, test } from "vitest"
import { createLog } from "../../src/lib/log.ts"
import { secret } from "../../src/lib/secret.ts"
import { createSecretFilter } from "../../src/lib/secret-filter.ts"
import { SlackClient } from "../../src/slack/client.ts"
import { fetchProfile } from "../../src/slack/profiles.ts"
import { findMessage } from "../../src/slack/write-to-slack.ts"
import { type RawService, startRawService } from "../helpers/raw-service.ts"

let slack: RawService
beforeAll(async () => {
  slack = await startRawService()
})
afterAll(async () => slack[Symbol.asyncDispose]())

function client(answer: object, options = {}) {
  slack.answer = (_, response) =>
    void response
      .writeHead(200, { "content-type": "application/json" })
      .end(JSON.stringify({ ok: true, ...answer }))
  return new SlackClient(secret("xoxb-1"), `${slack.url}/api/`, createLog("silent", []), options)
}

test("a weak password that an error code contains changes nothing of what the code means", async () => {
  const secrets = createSecretFilter(["channel"])
  const options = { secrets }
  const refused = client({ ok: false, error: "channel_not_found" }, options).chat.postMessage({
    channel: "C1",
    text: "a",
  })
  await expect(refused).rejects.toMatchObject({ code: "channel_not_found", verdict: "give_up" })
})

const HOME = { team: "T1", enterprise: "E1" }

test.each([
  ["a time zone", { tz: null }],
  ["a profile", { profile: null }],
  ["an organization", { enterprise_user: null, team_id: null }],
  ["anything but an id", { name: null, real_name: null, is_bot: null, deleted: null, tz: null }],
])("a person without %s is a person", async (_, missing) => {
  const user = { id: "U1", team_id: "T1", name: "ada", tz: "Europe/Paris", ...missing }
  const profile = await fetchProfile(client({ user }), HOME, "U1")
  expect(profile).toMatchObject({ user: "U1", isGuest: false, isStranger: false })
})

test.each([
  ["of another workspace", { team_id: "T2" }, { isStranger: true }],
  ["in no channel with the bot", { is_stranger: true }, { isStranger: true }],
  [
    "of another workspace of the organization",
    { team_id: "T2", enterprise_user: { enterprise_id: "E1" } },
    { isStranger: false },
  ],
  ["who has left", { deleted: true }, { isBot: true }],
])("a person %s is known as such", async (_, facts, known) => {
  const answer = { user: { id: "U1", team_id: "T1", name: "eve", ...facts } }
  expect(await fetchProfile(client(answer), HOME, "U1")).toMatchObject(known)
})

test("a message with a Work Object does not hide the one that is looked for", async () => {
  const messages = [
    { ts: "3.1", metadata: { entities: [{ entity_type: "slack#/entities/task" }] } },
    { ts: "2.1", metadata: null },
    {
      ts: "1.1",
      metadata: { event_type: "docs_agent_job", event_payload: { job: "a", part: "card" } },
    },
  ]
  const found = findMessage(client({ messages }), { channel: "C1" }, { job: "a", part: "card" })
  expect(await found).toEqual({ ts: "1.1" })
})
