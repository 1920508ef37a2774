import { endings } from "../jobs/job.ts"
import { TOKEN_CODES } from "../slack/verdict.ts"

/** A label takes known values only: whatever comes from outside must not grow the metrics. */
type Known = (value: string) => string

function known(values: Iterable<string>): Known {
  const set = new Set(values)
  return (value) => (set.has(value) ? value : "other")
}

/** Ways in. A test holds the commands and events to the manifest. */
export const ENTRIES = [
  "/docs-agent",
  "/docs-visitors",
  "app_mention",
  "message",
  "app_home_opened",
  "agent_session_stopped",
  "action",
  "form",
  "shortcut",
] as const

const SLACK_METHODS = [
  "agents.sessions.setStatus",
  "assistant.threads.setSuggestedPrompts",
  "auth.test",
  "chat.postEphemeral",
  "chat.postMessage",
  "chat.update",
  "conversations.replies",
  "files.info",
  "files.upload",
  "find",
  "response_url",
  "users.info",
  "views.open",
  "views.publish",
]

/** Refusals that an operator can do something about; the log has the others by name. */
const SLACK_OUTCOMES = [
  "ok",
  ...TOKEN_CODES,
  "channel_not_found",
  "expired_trigger_id",
  "fatal_error",
  "internal_error",
  "invalid_blocks",
  "is_archived",
  "message_not_found",
  "missing_scope",
  "msg_blocks_too_long",
  "no_answer",
  "not_authorized",
  "not_in_channel",
  "ratelimited",
  "restricted_action",
  "slow",
  "unknown_method",
  "unreachable",
  "used_url",
  "user_not_found",
]

const STATUSES = ["ok", "400", "401", "403", "404", "405", "408", "409", "422", "429"]
const SERVER_STATUSES = [
  "500",
  "501",
  "502",
  "503",
  "504",
  "unreachable",
  "interrupted",
  "broken_body",
]

export const entryLabel = known(ENTRIES)
export const slackMethodLabel = known(SLACK_METHODS)
export const slackOutcomeLabel = known(SLACK_OUTCOMES)
export const statusLabel = known([...STATUSES, ...SERVER_STATUSES])
export const endingLabel = known(endings)
