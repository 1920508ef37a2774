import { describe, expect, it } from "vitest"
import { quiet, refusal, useLocalSlack } from "../helpers/local-slack.ts"
import {
  ADA,
  BEN,
  DEFAULT_SCOPES,
  DOCS,
  GUS,
  LEADS,
  OLD_DOCS,
  RANDOM,
} from "../sandbox/slack/index.ts"

const h = useLocalSlack({ agent: "declared" })

interface Session {
  channel_id: string
  thread_ts: string
}

/** Posts a root message as the bot. @returns the arguments that name its session */
async function thread(channel: string = DOCS): Promise<Session> {
  const { ts = "" } = await h.client.chat.postMessage({ channel, text: "root", ...quiet })
  return { channel_id: channel, thread_ts: ts }
}

function set(session: Session, status: string, more: object = {}) {
  return h.client.apiCall("agents.sessions.setStatus", { ...session, status, ...more })
}

function states({ channel_id, thread_ts }: Session) {
  const session = h.slack.agents.session(channel_id, thread_ts)
  return session?.history.map(({ status, by }) => `${status} by ${by}`)
}

describe("agents.sessions.setStatus", () => {
  it("creates the session, and answers with the status it wrote and the title", async () => {
    const session = await thread()
    const title = "Fix the quickstart"
    const answer = await set(session, "processing", { title, initiator_user_id: ADA })
    expect(answer).toMatchObject({ status: "processing", agent_status: "processing", title })
    expect(answer).not.toHaveProperty("warning")
    const made = [{ channel: DOCS, threadTs: session.thread_ts, title, initiator: ADA }]
    expect(h.slack.agents.sessions()).toMatchObject(made)
    expect(states(session)).toEqual(["processing by app"])
    // Title and initiator are "ignored if the session already exists".
    const later = { title: "Second", initiator_user_id: "U0NOBODY" }
    expect(await set(session, "active", later)).toMatchObject({ status: "active", title })
    expect(h.slack.agents.sessions()).toMatchObject(made)
    expect(states(session)).toEqual(["processing by app", "active by app"])
  })

  it("keeps a title until agents.sessions.rename changes it, which makes no session", async () => {
    const session = await thread()
    const rename = (title: string) => h.client.agents.sessions.rename({ ...session, title })
    expect(await refusal(rename("Too early"))).toBe("session_not_found")
    await set(session, "active")
    expect(await rename("Fix the quickstart")).toMatchObject({ title: "Fix the quickstart" })
    expect(h.slack.agents.sessions()).toMatchObject([{ title: "Fix the quickstart" }])
    expect(await refusal(rename(""))).toBe("invalid_arguments")
  })

  it("ends processing after one hour, counted from the last time it was set", async () => {
    const session = await thread()
    await set(session, "processing")
    h.time += 3_599_999
    await set(session, "processing")
    h.time += 3_599_999
    expect(states(session)).toEqual(["processing by app", "processing by app"])
    h.time += 1
    const endsAt = h.time
    h.time += 60_000
    expect(states(session)?.at(-1)).toBe("active by timeout")
    expect(h.slack.agents.session(DOCS, session.thread_ts)?.history.at(-1)?.at).toBe(endsAt)
    await set(session, "active")
    expect(states(session)?.slice(2)).toEqual(["active by timeout", "active by app"])
  })

  it.each([
    ["no thread", { thread_ts: "" }, "invalid_arguments"],
    ["a regular channel or DM without thread_ts", { thread_ts: undefined }, "thread_ts_required"],
    ["an unknown message", { thread_ts: "1.000001" }, "invalid_arguments"],
    ["an unknown status", { status: "working" }, "invalid_status"],
    ["a title of 201 characters", { title: "x".repeat(201) }, "invalid_arguments"],
    ["a starter who is no member", { initiator_user_id: "U0EVE00001" }, "user_not_found"],
    ["a guest as the starter", { initiator_user_id: GUS }, "user_not_found"],
    ["a private channel without the app", { channel_id: LEADS }, "channel_not_found"],
    ["an archived channel", { channel_id: OLD_DOCS }, "channel_not_found"],
  ])("refuses %s", async (_name, wrong, code) => {
    expect(await refusal(set(await thread(), "processing", wrong))).toBe(code)
    expect(h.slack.agents.sessions()).toEqual([])
  })

  it("refuses a public channel the app is not in, though it may post there", async () => {
    h.slack.setScopes([...DEFAULT_SCOPES, "assistant:write", "chat:write.public"])
    expect(await refusal(set(await thread(RANDOM), "processing"))).toBe("not_authorized")
  })
})

describe("an app that is no agent", () => {
  it.each([
    ["of a manifest without agent_view", "undeclared", "not_authorized"],
    ["in a workspace whose plan lacks the feature", "disabled", "feature_disabled"],
  ] as const)("%s is refused", async (_name, agent, code) => {
    h.slack.agents.set(agent)
    expect(await refusal(set(await thread(), "active"))).toBe(code)
    expect(h.slack.violations).toEqual([])
  })

  it("hears which scope it lacks where the manifest was changed and not installed again", async () => {
    h.slack.setScopes(DEFAULT_SCOPES)
    expect(await refusal(set(await thread(), "active"))).toBe("missing_scope")
  })
})

it("shows people a Stop button while it is processing, and changes nothing by the click", async () => {
  const session = await thread()
  const { thread_ts } = session
  const stop = (user: string) => h.slack.as(user).stop({ channel: DOCS, ts: thread_ts })
  await expect(stop(BEN)).rejects.toThrow("no Stop button")
  await set(session, "processing")
  await expect(stop(GUS)).rejects.toThrow("no Stop button")
  await stop(BEN)
  const { event } = h.slack.deliveries.at(-1)?.delivery.payload ?? {}
  const type = "agent_session_stopped"
  const stopped = { type, channel: DOCS, thread_ts, user: BEN, streaming_message_ts: [] }
  expect(event).toMatchObject(stopped)
  expect(states(session)).toEqual(["processing by app"])
  await set(session, "active")
  await expect(stop(BEN)).rejects.toThrow("no Stop button")
})
