import type { WebClient } from "@slack/web-api"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { botToken, type RunningApp, signingSecret, startHttpApp } from "../helpers/bolt-app.ts"
import { clientOf, quiet, refusal } from "../helpers/slack-client.ts"
import {
  ADA,
  BEN,
  DEFAULT_SCOPES,
  DOCS,
  GUS,
  LEADS,
  type LocalSlack,
  type LocalSlackOptions,
  OLD_DOCS,
  RANDOM,
  startLocalSlack,
} from "../sandbox/slack/index.ts"

let slack: LocalSlack
let client: WebClient
let now = Date.parse("2026-11-02T09:00:00Z")

async function open(options: Partial<LocalSlackOptions> = {}): Promise<void> {
  const agent = "declared" as const
  const base = { signingSecret, botToken, mode: "http" as const, agent, now: () => now }
  slack = await startLocalSlack({ ...base, ...options })
  client = clientOf(slack, botToken)
}
afterEach(async () => {
  await slack.close()
})

/** Posts a root message as the bot. @returns the arguments that name its session */
async function thread(channel: string = DOCS) {
  const { ts = "" } = await client.chat.postMessage({ channel, text: "root", ...quiet })
  return { channel_id: channel, thread_ts: ts }
}

function states(session: { channel_id: string; thread_ts: string }) {
  return slack.agents
    .session(session.channel_id, session.thread_ts)
    ?.history.map(({ status, by }) => `${status} by ${by}`)
}

describe("agents.sessions.setStatus", () => {
  it("creates the session and answers with the status it wrote, the agent's and the title", async () => {
    await open()
    const session = await thread()
    const more = { title: "Fix the quickstart", initiator_user_id: ADA }
    const answer = await client.agents.sessions.setStatus({
      ...session,
      ...more,
      status: "processing",
    })
    expect(answer).toMatchObject({
      status: "processing",
      agent_status: "processing",
      title: "Fix the quickstart",
    })
    expect(answer.warning).toBeUndefined()
    expect(slack.agents.sessions()).toMatchObject([
      { channel: DOCS, threadTs: session.thread_ts, title: "Fix the quickstart", initiator: ADA },
    ])
    expect(states(session)).toEqual(["processing by app"])
  })

  it("keeps a title until agents.sessions.rename changes it, which makes no session", async () => {
    await open()
    const session = await thread()
    const rename = (title: string) => client.agents.sessions.rename({ ...session, title })
    expect(await refusal(rename("Too early"))).toBe("session_not_found")
    await client.agents.sessions.setStatus({ ...session, status: "active" })
    expect(await rename("Fix the quickstart")).toMatchObject({ title: "Fix the quickstart" })
    expect(slack.agents.sessions()).toMatchObject([{ title: "Fix the quickstart" }])
    expect(await refusal(rename(""))).toBe("invalid_arguments")
  })

  it("takes title and initiator on creation only: ignored if the session already exists", async () => {
    await open()
    const session = await thread()
    await client.agents.sessions.setStatus({ ...session, status: "processing", title: "First" })
    const later = { title: "Second", initiator_user_id: "U0NOBODY" }
    const answer = await client.agents.sessions.setStatus({
      ...session,
      ...later,
      status: "active",
    })
    expect(answer).toMatchObject({ status: "active", title: "First" })
    expect(states(session)).toEqual(["processing by app", "active by app"])
  })

  it("ends processing after one hour, counted from the last time it was set", async () => {
    await open()
    const session = await thread()
    await client.agents.sessions.setStatus({ ...session, status: "processing" })
    now += 3_599_999
    await client.agents.sessions.setStatus({ ...session, status: "processing" })
    now += 3_599_999
    expect(states(session)).toEqual(["processing by app", "processing by app"])
    now += 1
    const endsAt = now
    now += 60_000
    expect(states(session)?.at(-1)).toBe("active by timeout")
    expect(slack.agents.session(DOCS, session.thread_ts)?.history.at(-1)?.at).toBe(endsAt)
    await client.agents.sessions.setStatus({ ...session, status: "active" })
    expect(states(session)?.slice(2)).toEqual(["active by timeout", "active by app"])
  })

  it.each([
    ["no thread", { thread_ts: "" }, "invalid_arguments"],
    ["an unknown message", { thread_ts: "1.000001" }, "invalid_arguments"],
    ["an unknown status", { status: "working" }, "invalid_status"],
    ["a title of 201 characters", { title: "x".repeat(201) }, "invalid_arguments"],
    ["a starter who is no member", { initiator_user_id: "U0EVE00001" }, "user_not_found"],
    ["a guest as the starter", { initiator_user_id: GUS }, "user_not_found"],
    ["a private channel without the app", { channel_id: LEADS }, "channel_not_found"],
    ["an archived channel", { channel_id: OLD_DOCS }, "channel_not_found"],
  ])("refuses %s", async (_name, wrong, code) => {
    await open()
    const call = { ...(await thread()), status: "processing", ...wrong }
    expect(await refusal(client.agents.sessions.setStatus(call))).toBe(code)
    expect(slack.agents.sessions()).toEqual([])
  })

  it("requires thread_ts for thread-based sessions in regular channels and DMs", async () => {
    await open()
    const call = client.agents.sessions.setStatus({ channel_id: DOCS, status: "processing" })
    expect(await refusal(call)).toBe("thread_ts_required")
  })

  it("refuses a public channel the app is not in, though it may post there", async () => {
    await open({ scopes: [...DEFAULT_SCOPES, "chat:write.public"] })
    const call = { ...(await thread(RANDOM)), status: "processing" }
    expect(await refusal(client.agents.sessions.setStatus(call))).toBe("not_authorized")
  })
})

describe("an app that is no agent", () => {
  it.each([
    ["of a manifest without agent_view", "undeclared", "not_authorized"],
    ["in a workspace whose plan lacks the feature", "disabled", "feature_disabled"],
  ] as const)("%s is refused", async (_name, agent, code) => {
    await open({ agent })
    const session = await thread()
    expect(await refusal(client.agents.sessions.setStatus({ ...session, status: "active" }))).toBe(
      code,
    )
    expect(slack.agents.prompts(ADA)).toBeUndefined()
    expect(slack.violations).toEqual([])
  })

  it("hears which scope it lacks where the manifest was changed and not installed again", async () => {
    await open()
    slack.setScopes(DEFAULT_SCOPES)
    const call = client.agents.sessions.setStatus({ ...(await thread()), status: "active" })
    expect(await refusal(call)).toBe("missing_scope")
  })
})

describe("people", () => {
  const heard: unknown[] = []
  let app: RunningApp
  beforeEach(async () => {
    heard.length = 0
    await open()
    app = await startHttpApp(slack, (bolt) => {
      bolt.event("agent_session_stopped", async ({ event }) => void heard.push(event))
      bolt.event("app_home_opened", async ({ event }) => void heard.push(event))
    })
  })
  afterEach(() => app.stop())

  it("have a Stop button while the session is processing, and nothing changes by the click", async () => {
    const session = await thread()
    const root = { channel: DOCS, ts: session.thread_ts }
    const click = () => slack.as(BEN).stop(root)
    await expect(click()).rejects.toThrow("no Stop button")
    await client.agents.sessions.setStatus({ ...session, status: "processing" })
    await expect(slack.as(GUS).stop(root)).rejects.toThrow("no Stop button")
    expect(await click()).toMatchObject({ ok: true })
    const { thread_ts } = session
    expect(heard).toMatchObject([
      {
        type: "agent_session_stopped",
        channel: DOCS,
        thread_ts,
        user: BEN,
        streaming_message_ts: [],
      },
    ])
    expect(states(session)).toEqual(["processing by app"])
    await client.agents.sessions.setStatus({ ...session, status: "active" })
    await expect(click()).rejects.toThrow("no Stop button")
  })
})
