import { z } from "zod"
import { compact } from "../../kit/json.ts"
import { countChars } from "../block-kit/fields.ts"
import type { Core } from "../core.ts"
import type { Channel, User } from "../workspace/model.ts"
import {
  renameSession,
  SESSION_STATUSES,
  sessionOf,
  setSessionStatus,
  statusOf,
} from "../workspace/sessions.ts"
import { botIsIn } from "../workspace/workspace.ts"
import { requireScope, visibleChannel } from "./channels.ts"
import { rootOf } from "./chat.ts"
import { ApiError, checkArguments, id, invalidArguments, type Method } from "./method.ts"
import { tier3 } from "./rate-limits.ts"

/** Title of a new session, "max 200 characters". */
const title = z.string().refine((text) => countChars(text) <= 200, "must be at most 200 characters")

const statusSchema = z.object({
  channel_id: id,
  thread_ts: id.optional(),
  status: z.string(),
  title: title.optional(),
  initiator_user_id: id.optional(),
})
const knownStatus = z.enum(SESSION_STATUSES)

const renameSchema = z.object({
  channel_id: id,
  thread_ts: id.optional(),
  title: title.refine((text) => text !== "", "must be at least 1 character"),
})

const STOP_EVENT = "agent_session_stopped"
const NO_STOP = "missing_agent_session_stopped_event_subscription"

/** Sets the status of a thread's session, and creates the session if there is none. */
export const agentsSessionsSetStatus: Method = {
  scopes: ["chat:write"],
  limit: tier3,
  run(core, args) {
    const wanted = checkArguments(statusSchema, args)
    const status = knownStatus.safeParse(wanted.status)
    if (!status.success) throw new ApiError("invalid_status")
    requireAgent(core)
    const channel = sessionChannel(core, wanted.channel_id)
    const threadTs = sessionThread(core, channel, wanted.thread_ts)
    const initiator = wanted.initiator_user_id
    if (sessionOf(core.workspace, channel.id, threadTs) === undefined && initiator !== undefined) {
      requireInitiator(core, channel, initiator)
    }
    const draft = { channel: channel.id, threadTs, title: wanted.title, initiator }
    const session = setSessionStatus(core.workspace, draft, status.data)
    // With one agent, the session's status, "derived from the statuses of all agents", is its own.
    const now = { status: statusOf(session), agent_status: statusOf(session) }
    const answer = compact({ ...now, title: session.title })
    if (core.settings.events.has(STOP_EVENT)) return answer
    return { ...answer, warning: NO_STOP, response_metadata: { warnings: [NO_STOP] } }
  },
}

/**
 * Changes a session's title. @throws ApiError `session_not_found`: setting a status is what creates
 * a session
 */
export const agentsSessionsRename: Method = {
  scopes: ["chat:write"],
  limit: tier3,
  run(core, args) {
    const wanted = checkArguments(renameSchema, args)
    requireAgent(core)
    const channel = sessionChannel(core, wanted.channel_id)
    const threadTs = sessionThread(core, channel, wanted.thread_ts)
    const session = sessionOf(core.workspace, channel.id, threadTs)
    if (!session) throw new ApiError("session_not_found")
    renameSession(core.workspace, session, wanted.title)
    return { title: wanted.title }
  },
}

/**
 * Returns the "Timestamp of the thread root message the session is scoped to". Rejects an unknown
 * one, which is undocumented, so that no session lacks a thread.
 * @throws ApiError `thread_ts_required`: "`thread_ts` is required for thread-based sessions in
 * regular channels and DMs", or `invalid_arguments`.
 */
function sessionThread(core: Core, channel: Channel, ts: string | undefined): string {
  if (ts === undefined) throw new ApiError("thread_ts_required")
  if (core.workspace.messages.get(channel.id)?.has(ts) !== true) {
    throw invalidArguments(["no such message [json-pointer:/thread_ts]"])
  }
  return rootOf(core, channel.id, ts)
}

/**
 * Checks the initiator: "Must be a member of the channel", and not a guest if the app is an agent.
 * @throws ApiError `user_not_found`: "does not exist or is not accessible".
 */
function requireInitiator(core: Core, channel: Channel, userId: string): void {
  const user = core.workspace.users.get(userId)
  if (user !== undefined && channel.members.has(userId) && mayUseAgent(core, user)) return
  throw new ApiError("user_not_found")
}

/**
 * Checks the agent features. "Only apps declared as agents in the app settings can create sessions.
 * Declaring an app as an agent adds the `assistant:write` scope to it" (Agent sessions). The error
 * for other apps is undocumented; Slack was seen to return `not_authorized`, as for a channel the
 * app isn't in.
 * @throws ApiError `feature_disabled`, `not_authorized` or `missing_scope`.
 */
function requireAgent(core: Core): void {
  if (core.settings.agent === "disabled") throw new ApiError("feature_disabled")
  if (core.settings.agent === "undeclared") throw new ApiError("not_authorized")
  requireScope(core, "assistant:write")
}

/**
 * Returns a session's channel: "Your app must be a member of the channel specified in
 * `channel_id`", which `chat:write.public` doesn't replace.
 * @throws ApiError `not_authorized`: "The caller is not a member of the specified channel", or
 * `channel_not_found`: it "does not exist or is not accessible", as if archived.
 */
function sessionChannel(core: Core, id: string): Channel {
  const channel = visibleChannel(core, id)
  if (channel.archived) throw new ApiError("channel_not_found")
  if (!botIsIn(core.workspace, channel)) throw new ApiError("not_authorized")
  return channel
}

/**
 * Returns false for a guest if the app is an agent: "Workspace guests are not permitted to access
 * apps with the Agents feature enabled".
 */
export function mayUseAgent(core: Core, user: User): boolean {
  return core.settings.agent !== "declared" || user.role !== "guest"
}
