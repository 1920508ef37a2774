import { NOT_OFFERED } from "../after/surface.ts"
import { SlackError } from "../errors/slack-error.ts"
import type { Log } from "../runtime/log.ts"
import { isWorthALine } from "../runtime/loop.ts"
import type { AnsweredPayload } from "../slack/intake.ts"
import { entryLabel, slackMethodLabel, slackOutcomeLabel } from "./labels.ts"
import type { Metrics } from "./metrics.ts"

/** Anybody can send what Slack did not sign: the log is told of it at most so often, ms. */
const UNSIGNED_EVERY_MS = 60_000

/**
 * Methods that only apps declared as agents have. `surfaceOff` tells of their refusal, once a day.
 */
const FOR_AGENTS: ReadonlySet<string> = new Set([
  "agents.sessions.setStatus",
  "assistant.threads.setSuggestedPrompts",
])
const NO_SURFACE =
  "Slack doesn't offer this app agent sessions; the bot asks again in a day, and everything else works as before. To make the app an agent, see .github/OPERATIONS.md"

/** What Slack delivers and how it answers, as an operator should see it in log and metrics. */
export function instrumentSlack(log: Log, metrics: Metrics) {
  /** Refused since the log was told last. */
  let refused = 0
  let tellUnsignedFrom = Number.NEGATIVE_INFINITY
  /** How often in a row a method came back with the same code. */
  const inARow = new Map<string, { outcome: string; failures: number }>()

  function called(method: string, outcome: string): void {
    metrics.slackCalls.inc({
      method: slackMethodLabel(method),
      outcome: slackOutcomeLabel(outcome),
    })
    const last = inARow.get(method)
    const failures = last?.outcome === outcome ? last.failures + 1 : 1
    inARow.set(method, { outcome, failures })
    // With a refused token auth.test alone fails every five seconds, also over a weekend.
    if (FOR_AGENTS.has(method) && NOT_OFFERED.has(outcome)) return
    if (outcome !== "ok" && isWorthALine(failures))
      log.warn({ method, outcome, failures }, "a call to Slack failed")
  }

  return {
    called,

    surfaceOff(code: string): void {
      log.info({ code }, NO_SURFACE)
    },

    answered(payload: AnsweredPayload): void {
      const entry = entryLabel(payload.entry)
      metrics.acks.inc({ entry, outcome: payload.outcome })
      metrics.ackSeconds.observe({ entry }, payload.ms / 1000)
      log.info({ ...payload, ms: Math.round(payload.ms) }, "answered Slack")
    },

    unsigned(): void {
      metrics.unsigned.inc()
      refused += 1
      if (performance.now() < tellUnsignedFrom) return
      tellUnsignedFrom = performance.now() + UNSIGNED_EVERY_MS
      log.warn({ count: refused }, "refused requests that aren't signed with SLACK_SIGNING_SECRET")
      refused = 0
    },

    /** One read of Slack's; writes are told by the outbound itself. */
    reading: async <T>(method: string, read: () => Promise<T>): Promise<T> => {
      try {
        const answer = await read()
        called(method, "ok")
        return answer
      } catch (error) {
        if (error instanceof SlackError) called(method, error.code)
        throw error
      }
    },
  }
}
