import { type Logger, LogLevel } from "@slack/web-api"
import type { Log } from "../runtime/log.ts"

/** "While your app is not subscribed … the user sees a non-interactive loading indicator instead." */
export const NO_STOP_WARNING = "missing_agent_session_stopped_event_subscription"

/**
 * Slack's libraries log through ours, one level quieter. Their debug lines hold whole payloads with
 * people's words and response_urls, so those are never passed on.
 */
export function slackLogger(log: Log): Logger {
  const line = (words: unknown[]) => words.map((word) => String(word)).join(" ")
  return {
    debug() {},
    info: (...words) => log.debug({ from: "slack" }, line(words)),
    // With every call, and the doctor says it.
    warn: (...words) => words[0] === NO_STOP_WARNING || log.info({ from: "slack" }, line(words)),
    error: (...words) => log.warn({ from: "slack" }, line(words)),
    setLevel() {},
    getLevel: () => LogLevel.INFO,
    setName() {},
  }
}
