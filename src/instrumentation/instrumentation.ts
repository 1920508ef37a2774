import { DocsError } from "../errors/docs-error.ts"
import type { Ending, Job } from "../jobs/job.ts"
import type { Accepted, CreationOutcome, NewJob } from "../jobs/ports.ts"
import {
  endingLabel,
  entryLabel,
  slackMethodLabel,
  slackOutcomeLabel,
  statusLabel,
} from "../metrics/labels.ts"
import type { Metrics } from "../metrics/metrics.ts"
import type { Log } from "../runtime/log.ts"
import { isWorthALine } from "../runtime/loop.ts"
import type { AnsweredPayload } from "../slack/payload-processor.ts"

type Known = Pick<Job, "id" | "project">

export type Instrumentation = ReturnType<typeof createInstrumentation>

/**
 * What happens to deliveries and jobs, as whoever runs the bot should see it: one log line each,
 * and a count. The lines about one prompt hang together: the delivery's carries Slack's id, the one
 * of its acceptance that id and our job's, and all later ones the job's.
 */
export function createInstrumentation(log: Log, metrics: Metrics) {
  return {
    ...instrumentSlack(log, metrics),
    ...instrumentService(metrics),
    ...instrumentJobs(log, metrics),
  }
}

function instrumentSlack(log: Log, metrics: Metrics) {
  /** How often in a row a method came back with the same code. */
  const inARow = new Map<string, { outcome: string; failures: number }>()
  return {
    payloadAnswered(payload: AnsweredPayload): void {
      const entry = entryLabel(payload.entry)
      metrics.acks.inc({ entry, outcome: payload.outcome })
      metrics.ackSeconds.observe({ entry }, payload.ms / 1000)
      log.info({ ...payload, ms: Math.round(payload.ms) }, "Slack was answered")
    },
    unsigned(): void {
      metrics.unsigned.inc()
    },
    calledSlack(method: string, outcome: string): void {
      metrics.slackCalls.inc({
        method: slackMethodLabel(method),
        outcome: slackOutcomeLabel(outcome),
      })
      const last = inARow.get(method)
      const failures = last?.outcome === outcome ? last.failures + 1 : 1
      inARow.set(method, { outcome, failures })
      // With a refused token auth.test alone fails every five seconds, also over a weekend.
      if (outcome !== "ok" && isWorthALine(failures))
        log.warn({ method, outcome, failures }, "Slack did not take a call")
    },
  }
}

function instrumentService(metrics: Metrics) {
  return {
    /** @param error what came instead of a good answer, if anything */
    calledService(operation: string, seconds: number, error?: unknown): void {
      const status = error === undefined ? "ok" : statusLabel(statusOf(error))
      metrics.serviceCalls.inc({ operation, status })
      metrics.serviceSeconds.observe({ operation }, seconds)
    },
  }
}

function statusOf(error: unknown): string {
  if (!(error instanceof DocsError)) return "other"
  return error.status === undefined ? error.fault : String(error.status)
}

function instrumentJobs(log: Log, metrics: Metrics) {
  function ended({ id, project }: Known, ending: Ending): void {
    metrics.ended.inc({ ending: endingLabel(ending) })
    log.info({ job: id, project, ending }, "a job ended")
  }
  return {
    ended,
    accepted(request: NewJob, accepted: Accepted): void {
      const { project, channel, user, idempotencyKey: delivery, via, prompt } = request
      const { outcome } = accepted
      metrics.requests.inc({ outcome })
      const job = outcome === "full" ? {} : { job: accepted.id }
      const slack = via ? { slack: via } : {}
      log.info({ ...job, ...slack, delivery, project, channel, user, outcome }, "a prompt came in")
      log.debug({ ...job, prompt: prompt.words }, "its words")
    },
    cardPosted({ id, project }: Known): void {
      log.info({ job: id, project }, "the card is posted")
    },
    created({ id, project }: Known, outcome: CreationOutcome): void {
      metrics.creations.inc({ project, outcome: outcome.kind })
      const facts = { job: id, project, outcome: outcome.kind }
      if (outcome.kind === "unknown") {
        const { detail, cause: error } = outcome
        log.warn(
          { ...facts, detail, ...(error ? { error } : {}) },
          "a creation has no known outcome",
        )
      } else log.info({ ...facts, ...whyOf(outcome) }, "a creation was tried")
      if (outcome.kind === "refused" || outcome.kind === "unknown")
        ended({ id, project }, outcome.kind)
    },
    /** Creations of processes that died; what became of them is not known. */
    swept(project: string, count: number): void {
      if (count === 0) return
      metrics.ended.inc({ ending: "unknown" }, count)
      log.warn({ project, count }, "a process died while creating jobs: their outcome is unknown")
    },
    polled({ id, project }: Known, outcome: string): void {
      metrics.polls.inc({ outcome })
      if (outcome !== "ok" && outcome !== "not_found")
        log.info({ job: id, project, result: outcome }, "a poll got no answer")
    },
    closingPosted({ id, project }: Known): void {
      log.info({ job: id, project }, "the closing reply is posted")
    },
  }
}

/** What came of a creation that got a clear answer. */
function whyOf(outcome: Exclude<CreationOutcome, { kind: "unknown" }>): object {
  if (outcome.kind === "created") return { agentJob: outcome.agentJobId }
  if (outcome.kind === "refused") return { detail: outcome.detail }
  return outcome.reason ? { reason: outcome.reason } : {}
}
