import { beforeAll, beforeEach, expect, test } from "vitest"
import { z } from "zod"
import { get, post, useBareSandbox } from "../helpers/bare-sandbox.ts"
import { readAgentManifest } from "../helpers/manifest.ts"
import { clientOf, quiet } from "../helpers/slack-client.ts"
import { ADA, BEN, CLEO, DOCS, GUS } from "../sandbox/slack/seed/ids.ts"
import { SECRETS } from "../sandbox/test-bed.ts"

const sandbox = useBareSandbox()

const agentState = z.object({
  state: z.object({
    agent: z.object({
      surface: z.string(),
      stoppable: z.boolean(),
      prompts: z.record(z.string(), z.object({ prompts: z.array(z.unknown()) })),
    }),
    sessions: z.record(z.string(), z.object({ status: z.string(), title: z.string().optional() })),
  }),
})
const state = async () => agentState.parse(await get(sandbox(), "/api/state")).state

/** A session of the app in a thread that the bot knows nothing of. */
async function session(status: string) {
  const { slack } = sandbox().testBed
  const client = clientOf(slack, SECRETS.botToken)
  const { ts = "" } = await client.chat.postMessage({ channel: DOCS, text: "root", ...quiet })
  const set = (to: string) =>
    client.agents.sessions.setStatus({
      channel_id: DOCS,
      thread_ts: ts,
      status: to,
      title: "Fix it",
    })
  await set(status)
  return { ts, thread: `${DOCS}:${ts}`, set }
}

beforeAll(() => expect(sandbox().testBed.slack.agents.surface).toBe("declared"))
beforeEach(() => sandbox().testBed.slack.agents.set("declared"))

test("what the manifest suggests is offered to members, and not to guests", async () => {
  const { prompts } = (await state()).agent
  const suggested = readAgentManifest().features.agent_view?.suggested_prompts
  expect(suggested).toHaveLength(4)
  expect(prompts[ADA]?.prompts).toEqual(suggested)
  expect(prompts[GUS]).toBeUndefined()
})

test("a session at work can be stopped, and once it is at rest no more", async () => {
  const { ts, thread, set } = await session("processing")
  expect((await state()).sessions[thread]).toEqual({ status: "processing", title: "Fix it" })
  const stop = () => post(sandbox(), "/api/stop", { as: "ben", channel: "docs", ts })
  expect(await stop()).toMatchObject({ status: 200, body: { ok: true } })
  const { slack } = sandbox().testBed
  expect(slack.deliveries.at(-1)?.delivery.payload).toMatchObject({
    event: { type: "agent_session_stopped", channel: DOCS, thread_ts: ts, user: BEN },
  })
  await set("active")
  expect((await state()).sessions[thread]?.status).toBe("active")
  expect((await stop()).body).toMatchObject({ ok: false, error: expect.stringMatching("no Stop") })
})

test("the Messages tab opens the conversation, but not for guests", async () => {
  const { slack } = sandbox().testBed
  const direct = () =>
    slack.channels().find(({ kind, members }) => kind === "im" && members.has(CLEO))
  expect(direct()).toBeUndefined()
  expect(await post(sandbox(), "/api/messages-tab", { as: "cleo" })).toMatchObject({ status: 200 })
  expect(direct()).toBeDefined()
  const refused = await post(sandbox(), "/api/messages-tab", { as: "gus" })
  expect(refused.body.error).toMatch("gives guests no access")
})

test("the app becomes an ordinary one and an agent again", async () => {
  await post(sandbox(), "/api/agent", { surface: "undeclared" })
  expect((await state()).agent).toEqual({ surface: "undeclared", stoppable: false, prompts: {} })
  expect(await post(sandbox(), "/api/messages-tab", { as: "gus" })).toMatchObject({ status: 200 })
  await post(sandbox(), "/api/agent", { surface: "declared" })
  expect((await state()).agent).toMatchObject({ surface: "declared", stoppable: true })
})

test("an hour that is skipped ends what Slack shows as at work", async () => {
  const { thread } = await session("processing")
  await post(sandbox(), "/api/time", { minutes: 60 })
  expect((await state()).sessions[thread]?.status).toBe("active")
})
