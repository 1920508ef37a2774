import type { JobEvents } from "../jobs/events.ts"
import type { Ending, Job } from "../jobs/job.ts"
import type { Accepted, NewJob } from "../jobs/ports.ts"
import type { CreationOutcome } from "../jobs/queue-ports.ts"
import { endingLabel } from "../metrics/labels.ts"
import type { Metrics } from "../metrics/metrics.ts"
import type { Log } from "../runtime/log.ts"
import { isWorthALine } from "../runtime/loop.ts"
import { failureFacts } from "./service.ts"

type Known = Pick<Job, "id" | "project">

const NO_ROOM =
  "Redis uses 90% of its memory, and new requests are turned away: raise its maxmemory, or give it a machine with more"

/**
 * What happens to jobs, as an operator should see it in log and metrics. The lines about one
 * prompt hang together: the delivery's carries Slack's id, the one of its acceptance that id and our
 * job's, and all later ones the job's.
 */
export function instrumentJobs(log: Log, metrics: Metrics) {
  function ended({ id, project }: Known, ending: Ending): void {
    metrics.ended.inc({ ending: endingLabel(ending) })
    log.info({ job: id, project, ending }, "a job ended")
  }

  function asked(request: NewJob, answer: Accepted): void {
    const { project, channel, user, idempotencyKey: delivery, via, prompt } = request
    const { outcome } = answer
    metrics.requests.inc({ outcome })
    const job = outcome === "full" ? {} : { job: answer.id }
    const slack = via ? { slack: via } : {}
    log.info({ ...job, ...slack, delivery, project, channel, user, outcome }, "a prompt came in")
    log.debug({ ...job, prompt: prompt.words }, "its prompt")
    if (outcome === "full" && answer.of === "no_room") log.warn(NO_ROOM)
  }

  function created(job: Known & Pick<Job, "follows">, outcome: CreationOutcome): void {
    const { id, project, follows } = job
    const [counter, what] =
      follows === undefined
        ? ([metrics.creations, "creation"] as const)
        : ([metrics.messages, "message"] as const)
    counter.inc({ project, outcome: outcome.kind })
    const { msg, ...facts } = happened(what, outcome)
    const isWell = outcome.kind === "created" || outcome.kind === "needs_job"
    const isPause = outcome.kind !== "put_back" || outcome.reason !== undefined
    log[isWell || !isPause ? "info" : "warn"](
      { job: id, project, outcome: outcome.kind, ...facts },
      msg,
    )
    if (outcome.kind === "refused" || outcome.kind === "unknown")
      ended({ id, project }, outcome.kind)
  }

  return {
    deliveryFailed: ({ id, project }: Known, error: unknown, failures: number): void => {
      if (isWorthALine(failures))
        log.error(
          { job: id, project, failures, error },
          "couldn't update Slack about a job; retrying",
        )
    },

    pollFailed: ({ id, project }: Known, error: unknown): void => {
      log.error({ job: id, project, error }, "a poll failed; retrying")
    },

    polled: ({ id, project }: Known, outcome: string): void => {
      metrics.polls.inc({ outcome })
      if (outcome !== "ok" && outcome !== "not_found")
        log.info({ job: id, project, result: outcome }, "a poll got no answer")
    },

    events: {
      asked,
      ended,
      created,

      cardPosted({ id, project }) {
        log.info({ job: id, project }, "the card is posted")
      },

      closingPosted({ id, project }) {
        log.info({ job: id, project }, "the closing reply is posted")
      },

      lost(queue, count) {
        metrics.ended.inc({ ending: "unknown" }, count)
        log.warn({ queue, count }, "a process died while starting jobs; their outcome is unknown")
      },
    } satisfies JobEvents,
  }
}

/** What came of a creation, in the words of the log. */
function happened(
  what: "creation" | "message",
  outcome: CreationOutcome,
): { msg: string; [fact: string]: unknown } {
  switch (outcome.kind) {
    case "created":
      return {
        agentJob: outcome.agentJobId,
        msg: what === "message" ? "the service took a message" : "the service started a job",
      }
    case "needs_job":
      return { msg: "a follow-up couldn't be sent as a message; it becomes a job" }
    case "refused":
      return {
        detail: outcome.detail,
        ...failureFacts(outcome.cause),
        msg: `a ${what} was refused`,
      }
    case "unknown":
      return {
        detail: outcome.detail,
        ...failureFacts(outcome.cause),
        ...(outcome.cause ? { error: outcome.cause } : {}),
        msg: `it's unclear whether a ${what} was accepted; the queue is paused`,
      }
    case "put_back": {
      const { reason, pauseMs, cause } = outcome
      if (!reason) return { msg: `a ${what} wasn't sent in time; it's back in the queue` }
      const pause = pauseMs === undefined ? {} : { pauseMs }
      return {
        reason,
        ...pause,
        ...failureFacts(cause),
        msg: `a ${what} wasn't accepted; the queue is paused`,
      }
    }
    default:
      return outcome satisfies never
  }
}
