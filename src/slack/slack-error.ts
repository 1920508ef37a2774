import { WebAPIHTTPError, WebAPIPlatformError, WebAPIRateLimitedError } from "@slack/web-api"
import type { z } from "zod"
import { boundedRetry, networkFault } from "../lib/http-client.ts"

export interface SlackFault {
  /**
   * - `give_up`: Slack refuses this for good (channel gone, bot removed, bad blocks)
   * - `later`: Slack certainly did not do it but may later (rate limit, rejected token, offline)
   * - `unknown`: no clear answer came; Slack may have done it
   */
  verdict: "give_up" | "later" | "unknown"
  /** Slack's error code, such as `channel_not_found`, or the bot's own for a transport fault. */
  code: string
  retryAfterMs?: number | undefined
}

export class SlackError extends Error implements SlackFault {
  override name = "SlackError"
  readonly method: string
  readonly verdict: SlackFault["verdict"]
  readonly code: string
  readonly retryAfterMs: number | undefined

  constructor(facts: SlackFault & { method: string }, options?: ErrorOptions) {
    super(`${facts.method}: ${facts.code}`, options)
    this.method = facts.method
    this.verdict = facts.verdict
    this.code = facts.code
    this.retryAfterMs = facts.retryAfterMs
  }
}

export function refusalOf(call: Promise<unknown>): Promise<SlackError | undefined> {
  return call.then(() => undefined, orSlackError)
}

/** Returns a `SlackError` as a value, for callers that handle it. @throws any other error */
export function orSlackError(error: unknown): SlackError {
  if (error instanceof SlackError) return error
  throw error
}

/** Codes with which Slack rejects the bot's token. */
export const TOKEN_CODES: ReadonlySet<string> = new Set([
  "invalid_auth",
  "not_authed",
  "token_revoked",
  "token_expired",
  "account_inactive",
  "team_access_not_granted",
  "org_login_required",
])

export const APP_TOKEN_CODES: ReadonlySet<string> = new Set([
  ...TOKEN_CODES,
  "not_allowed_token_type",
  "missing_scope",
])

/**
 * Error codes that concern the app, its plan or the workspace, not one thread: "Only apps declared
 * as agents in the app settings can create sessions" (Agent sessions), "The agent tasks feature is
 * not enabled for this workspace" (agents.sessions.setStatus), and Slack's answers for a method
 * that it does not know or that the token may not use.
 */
export const NOT_OFFERED: ReadonlySet<string> = new Set([
  "not_authorized",
  "not_agent_app",
  "missing_scope",
  "feature_disabled",
  "feature_not_enabled",
  "paid_only",
  "unknown_method",
  "method_deprecated",
  "deprecated_endpoint",
  "not_allowed_token_type",
])

/** Pattern for the codes of a channel that no longer accepts any of the bot's posts. */
export const CHANNEL_GONE = /^(?:channel_not_found|not_in_channel|is_archived|restricted_action.*)$/

/** Codes of Slack's own failures; its documentation says that some aspect may have succeeded. */
const UNSURE_CODES = new Set(["internal_error", "fatal_error", "request_timeout"])
const LATER_CODES = new Set(["ratelimited", "rate_limited", "service_unavailable"])
/** Temporary refusals, which end on their own or when an admin acts. */
const PASSING_CODES = new Set([
  "accesslimited",
  "external_channel_migrating",
  "message_limit_exceeded",
  "team_added_to_org",
  "two_factor_setup_required",
  "update_failed",
])

/** Retry delay in ms while Slack rejects the token, or after a 429 without `Retry-After`. */
const NO_RETRY_AFTER_MS = 30_000
const PASSING_MS = 5 * 60_000

const later = (code: string, retryAfterMs?: number): SlackFault => ({
  verdict: "later",
  code,
  retryAfterMs,
})
const unknown = (code: string): SlackFault => ({ verdict: "unknown", code })

export function toSlackError(method: string, cause: unknown): SlackError {
  return new SlackError({ method, ...faultOf(cause) }, { cause })
}

function faultOf(cause: unknown): SlackFault {
  if (cause instanceof SlackError) return cause
  if (cause instanceof WebAPIRateLimitedError)
    return later("ratelimited", boundedRetry(cause.retryAfter * 1000))
  if (cause instanceof WebAPIPlatformError) return ofCode(cause.data.error)
  if (cause instanceof WebAPIHTTPError) return unknown(`http_${cause.statusCode}`)
  // The client reports a 429 without a usable Retry-After as a plain error.
  if (cause instanceof Error && cause.message.startsWith("Retry header"))
    return ofCode("ratelimited")
  return networkFault(cause).isUnsent ? later("unreachable") : unknown("no_answer")
}

/** Returns the error for an answer that is not Slack's own: the call may have taken effect. */
export function brokenAnswer(method: string): SlackError {
  return new SlackError({ method, ...unknown("broken_body") })
}

/** Parses the answer to a call. @throws SlackError `broken_body` */
export function parseAnswer<T>(method: string, schema: z.ZodType<T>, answer: unknown): T {
  const parsed = schema.safeParse(answer)
  if (parsed.success) return parsed.data
  throw brokenAnswer(method)
}

export function ofCode(code: string): SlackFault {
  // A body that is not JSON arrives here as the "code".
  if (!/^[a-z0-9_]{1,60}$/.test(code)) return unknown("broken_body")
  if (TOKEN_CODES.has(code) || LATER_CODES.has(code)) return later(code, NO_RETRY_AFTER_MS)
  if (PASSING_CODES.has(code)) return later(code, PASSING_MS)
  return UNSURE_CODES.has(code) ? unknown(code) : { verdict: "give_up", code }
}
