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
import type { PayloadSummary } from "../slack/payload-summary.ts"

type Known = Pick<Job, "id" | "project">

/**
 * What happens to deliveries and jobs, as whoever runs the bot should see it: one log line each,
 * and a count. The lines about one prompt hang together: the delivery's carries Slack's id, the one
 * of its acceptance that id and our job's, and all later ones the job's.
 */
export interface Instrumentation {
  payloadAnswered(payload: PayloadSummary): void
  unsigned(): void
  accepted(request: NewJob, accepted: Accepted): void
  cardPosted(job: Known): void
  created(job: Known, outcome: CreationOutcome): void
  /** Creations of processes that died; what became of them is not known. */
  swept(project: string, count: number): void
  polled(job: Known, outcome: string): void
  ended(job: Known, ending: Ending): void
  closingPosted(job: Known): void
  calledSlack(method: string, outcome: string): void
  /** @param error what came instead of a good answer, if anything */
  calledService(operation: string, seconds: number, error?: unknown): void
}

export function createInstrumentation(log: Log, metrics: Metrics): Instrumentation {
  return {
    ...instrumentSlack(log, metrics),
    ...instrumentService(metrics),
    ...instrumentJobs(log, metrics),
  }
}

function instrumentSlack(
  log: Log,
  metrics: Metrics,
): Pick<Instrumentation, "payloadAnswered" | "unsigned" | "calledSlack"> {
  /** How often in a row a method came back with the same code. */
  const inARow = new Map<string, { outcome: string; failures: number }>()
  return {
    payloadAnswered(payload) {
      const entry = entryLabel(payload.entry)
      metrics.acks.inc({ entry, outcome: payload.outcome })
      metrics.ackSeconds.observe({ entry }, payload.ms / 1000)
      log.info({ ...payload, ms: Math.round(payload.ms) }, "Slack was answered")
    },
    unsigned() {
      metrics.unsigned.inc()
    },
    calledSlack(method, outcome) {
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

function instrumentService(metrics: Metrics): Pick<Instrumentation, "calledService"> {
  return {
    calledService(operation, seconds, error) {
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

function instrumentJobs(
  log: Log,
  metrics: Metrics,
): Omit<Instrumentation, "payloadAnswered" | "unsigned" | "calledSlack" | "calledService"> {
  function ended({ id, project }: Known, ending: Ending): void {
    metrics.ended.inc({ ending: endingLabel(ending) })
    log.info({ job: id, project, ending }, "a job ended")
  }
  return {
    ended,
    accepted(request, accepted) {
      const { project, channel, user, idempotencyKey: delivery, via, prompt } = request
      const { outcome } = accepted
      metrics.requests.inc({ outcome })
      const job = outcome === "full" ? {} : { job: accepted.id }
      const slack = via ? { slack: via } : {}
      log.info({ ...job, ...slack, delivery, project, channel, user, outcome }, "a prompt came in")
      log.debug({ ...job, prompt: prompt.words }, "its words")
    },
    cardPosted({ id, project }) {
      log.info({ job: id, project }, "the card is posted")
    },
    created({ id, project }, outcome) {
      metrics.creations.inc({ project, outcome: outcome.kind })
      const agentJob = outcome.kind === "created" ? { agentJob: outcome.agentJobId } : {}
      log.info({ job: id, project, outcome: outcome.kind, ...agentJob }, "a creation was tried")
      if (outcome.kind === "refused" || outcome.kind === "unknown")
        ended({ id, project }, outcome.kind)
    },
    swept(project, count) {
      if (count === 0) return
      metrics.ended.inc({ ending: "unknown" }, count)
      log.warn({ project, count }, "a process died while creating jobs: their outcome is unknown")
    },
    polled({ id, project }, outcome) {
      metrics.polls.inc({ outcome })
      if (outcome !== "ok" && outcome !== "not_found")
        log.info({ job: id, project, result: outcome }, "a poll got no answer")
    },
    closingPosted({ id, project }) {
      log.info({ job: id, project }, "the closing reply is posted")
    },
  }
}
