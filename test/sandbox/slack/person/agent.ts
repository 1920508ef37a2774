import { compact, type JsonObject } from "../../kit/json.ts"
import type { Core } from "../core.ts"
import { sendEvent } from "../delivery/delivery.ts"
import { untilIn } from "../wait.ts"
import { mayUseAgent } from "../web-api/agents-sessions.ts"
import type { View } from "../workspace/model.ts"
import { sessionOf, statusOf } from "../workspace/sessions.ts"
import { openDirectMessage } from "../workspace/workspace.ts"
import { viewObject } from "./inputs.ts"
import { type Actor, findMessage, type MessageRef } from "./target.ts"

/** Checks access. @throws Error for a guest: guests can't use an app with the agent feature. */
export function requireAccess({ core, user }: Actor): void {
  if (mayUseAgent(core, user)) return
  throw new Error(`${user.realName} is a guest: guests can't use an agent in Slack`)
}

/**
 * Returns whether this person has a Stop button in a thread: "If your app subscribes to the
 * agent_session_stopped event, Slack displays a native stop button to the user while the session is
 * in the `processing` status" (Agent sessions).
 */
function canStop({ core, user }: Actor, { channel, ts }: MessageRef): boolean {
  const session = sessionOf(core.workspace, channel, ts)
  return (
    session !== undefined &&
    statusOf(session) === "processing" &&
    core.settings.events.has("agent_session_stopped") &&
    mayUseAgent(core, user)
  )
}

/**
 * Clicks the Stop button of a thread. "The session status will not update automatically".
 * @throws Error if this person can't see the thread or has no button there.
 */
export async function stopSession(actor: Actor, thread: MessageRef) {
  const { core, user } = actor
  findMessage(actor, thread)
  if (canStop(actor, thread)) return await sendEvent(core, stoppedEvent(core, user.id, thread))
  throw new Error(`${user.realName} has no Stop button in ${thread.channel} ${thread.ts}`)
}

/** Returns the event. Streams: "It is an empty array when no stream was active", as in this app. */
export function stoppedEvent(core: Core, user: string, { channel, ts }: MessageRef): JsonObject {
  const event_ts = core.workspace.nextTs()
  const type = "agent_session_stopped"
  return { type, channel, thread_ts: ts, user, streaming_message_ts: [], event_ts }
}

/**
 * Opens the conversation with the app: "Subscribe to the `app_home_opened` event to be notified
 * when a user has opened a DM with your app", with the tab `messages` (Migrating to the Agent
 * messaging experience). Resolves to its channel. @throws Error for a guest.
 */
export async function openMessages(actor: Actor): Promise<string> {
  requireAccess(actor)
  await sendOpened(actor, "messages")
  return openDirectMessage(actor.core.workspace, actor.user.id).id
}

/**
 * Opens the bot's Home tab and resolves with the view that the bot publishes.
 * @throws Error for a guest, or if it publishes none before the timeout.
 */
export async function openHome(actor: Actor): Promise<View> {
  requireAccess(actor)
  const { core, user } = actor
  const { homes } = core.workspace
  const before = homes.get(user.id)
  const published = untilIn(
    core,
    () => homes.get(user.id)?.hash !== before?.hash && homes.get(user.id),
  )
  const [view] = await Promise.all([published, sendOpened(actor, "home", before)])
  return view
}

/** Sends the event of an opened tab, if the app subscribes to it. */
async function sendOpened({ core, user }: Actor, tab: "home" | "messages", shown?: View) {
  const { id: channel } = openDirectMessage(core.workspace, user.id)
  if (!core.settings.events.has("app_home_opened")) return undefined
  const view = shown && viewObject(core.workspace, shown)
  const event_ts = core.workspace.nextTs()
  const type = "app_home_opened"
  return await sendEvent(core, compact({ type, user: user.id, channel, tab, view, event_ts }))
}
