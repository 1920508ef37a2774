import { ABSENT, DOCS_FAULTS, DocsError } from "../../docs-service/docs-error.ts"
import type { OnRequest } from "../../docs-service/send-request.ts"
import type { Log } from "../../lib/log.ts"
import { isWorthALine } from "../../lib/loop.ts"
import type { OnCall } from "../../slack/client.ts"
import type { AnsweredPayload } from "../../slack/intake.ts"
import { NOT_OFFERED, TOKEN_CODES } from "../../slack/slack-error.ts"
import type { Metrics } from "./define-metrics.ts"

export function failureFacts(error: unknown): { status?: number; detail?: string } {
  if (!(error instanceof DocsError)) return {}
  return { status: error.status, detail: error.detail || undefined }
}

function countInARow() {
  const last = new Map<string, { outcome: string; times: number }>()
  return (of: string, outcome: string): number => {
    const before = last.get(of)
    const times = before?.outcome === outcome ? before.times + 1 : 1
    last.set(of, { outcome, times })
    return times
  }
}

/** Outcome of what has no name of its own, so that each series is there before its first event. */
const OTHER = "other"

/** Operations that every deployment has. */
const REQUIRED = ["create_job", "get_job", "visitors"]

/** Operations that a deployment may lack; people hear of it where they ask for one. */
const OPTIONAL = ["message", "assistant", "searches", "feedback", "thumbs"]

const OPERATIONS = [...REQUIRED, ...OPTIONAL]

/** Counts of calls, for clients whose users say themselves what failed. */
export interface CallCounts {
  service: OnRequest
  slack: OnCall
}

/** Counts each call, in series that begin at 0. */
export function countCalls(metrics: Metrics): CallCounts {
  for (const operation of OPERATIONS) {
    metrics.serviceSeconds.zero({ operation })
    for (const outcome of ["ok", ...DOCS_FAULTS, OTHER])
      metrics.serviceCalls.inc({ operation, outcome }, 0)
  }
  for (const method of METHODS)
    for (const outcome of OUTCOMES) metrics.slackCalls.inc({ method, outcome }, 0)
  return {
    service: (operation, ms, error) => {
      metrics.serviceSeconds.observe({ operation }, ms / 1000)
      metrics.serviceCalls.inc({ operation, outcome: outcomeLabel(error) })
    },
    slack: (method, outcome) =>
      metrics.slackCalls.inc({ method, outcome: OUTCOMES.has(outcome) ? outcome : OTHER }),
  }
}

function outcomeLabel(error: unknown): string {
  if (error === undefined) return "ok"
  return error instanceof DocsError ? error.fault : OTHER
}

/** Returns whether a deployment lacks an operation. A 403 to a message may be about its words. */
function isLack(operation: string, status = 0): boolean {
  const isAboutWords = operation === "message" && status === 403
  return OPTIONAL.includes(operation) && ABSENT.has(status) && !isAboutWords
}

/** Reports each service request. Logs repeated failures less and less often. */
export function instrumentService(log: Log, counts: CallCounts): OnRequest {
  const inARow = countInARow()
  return (operation, ms, error) => {
    counts.service(operation, ms, error)
    const { status, detail } = failureFacts(error)
    const fault = outcomeLabel(error)
    const failures = inARow(operation, `${status ?? fault}`)
    if (error === undefined || !isWorthALine(failures)) return
    const about = error instanceof DocsError ? { fault, status, detail } : { error }
    const level = isLack(operation, status) ? "info" : "warn"
    log[level]({ operation, ...about, failures }, "service request failed")
  }
}

/** Refusals that answer the bot's question; `surfaceOff` logs those of sessions once a day. */
export const EXPECTED: Readonly<Record<string, ReadonlySet<string>>> = {
  "agents.sessions.setStatus": NOT_OFFERED,
  "conversations.history": new Set(["channel_not_found", "not_in_channel"]),
  // The app may read about public channels only, so Slack answers so about private ones.
  "conversations.info": new Set(["missing_scope"]),
}
/** Outcomes of a Slack that is away, which concern no single method. */
const AWAY: ReadonlySet<string> = new Set(["unreachable", "no_answer"])
/** Calls to Slack, also those outside the Web API. */
const METHODS = [
  "agents.sessions.rename",
  "agents.sessions.setStatus",
  "auth.test",
  "chat.postEphemeral",
  "chat.postMessage",
  "chat.update",
  "conversations.history",
  "conversations.info",
  "conversations.replies",
  "files.completeUploadExternal",
  "files.getUploadURLExternal",
  "files.info",
  "files.upload",
  "response_url",
  "users.info",
  "views.open",
  "views.publish",
]
/** Outcomes that an operator acts upon; the log names all others. */
const OUTCOMES: ReadonlySet<string> = new Set([
  "ok",
  "ratelimited",
  "missing_scope",
  OTHER,
  ...AWAY,
  ...TOKEN_CODES,
])
/** Kinds of Slack deliveries; "unknown" is one that can't be read. */
const ENTRIES = [
  "/docs-agent",
  "/docs-visitors",
  "action",
  "agent_session_stopped",
  "app_home_opened",
  "app_mention",
  "form",
  "message",
  "shortcut",
  "unknown",
]
const NO_SURFACE =
  "agent sessions aren't available to this app; checking again in a day. Everything else works. To make the app an agent, see .github/OPERATIONS.md"
const UNSIGNED = "rejected requests that aren't signed with SLACK_SIGNING_SECRET"

export function instrumentSlack(log: Log, metrics: Metrics, counts: CallCounts) {
  const inARow = countInARow()
  let away = 0
  for (const entry of ENTRIES) {
    metrics.ackSeconds.zero({ entry })
    for (const outcome of ["acked", "malformed", "failed"]) metrics.acks.inc({ entry, outcome }, 0)
  }

  const called: OnCall = (method, outcome) => {
    counts.slack(method, outcome)
    const isAway = AWAY.has(outcome)
    away = isAway ? away + 1 : 0
    const failures = isAway ? away : inARow(method, outcome)
    // With a refused token auth.test fails every five seconds, even over a weekend.
    if (outcome === "ok" || !isWorthALine(failures)) return
    if (EXPECTED[method]?.has(outcome)) return
    log.warn({ method, outcome, failures }, "Slack call failed")
  }

  return {
    called,

    surfaceOff: (code: string): void => log.info({ code }, NO_SURFACE),

    answered: (payload: AnsweredPayload): void => {
      const { entry, outcome, ms } = payload
      metrics.ackSeconds.observe({ entry }, ms / 1000)
      metrics.acks.inc({ entry, outcome })
      log.info({ ...payload, ms: Math.round(ms) }, "answered Slack")
    },

    unsigned: (): void => {
      metrics.unsigned.inc()
      // Anybody can send unsigned requests, so the log reports them less and less often.
      const count = inARow("unsigned", "")
      if (isWorthALine(count)) log.warn({ count }, UNSIGNED)
    },
  }
}
