import type { Ending, Job } from "../jobs/job.ts"
import type { Changed } from "../jobs/job-store.ts"
import type { CreationOutcome, KeyFault } from "../jobs/outcome.ts"
import type { NewRequest, Submitted } from "../jobs/submit.ts"
import type { Log } from "../runtime/log.ts"
import { isWorthALine } from "../runtime/loop.ts"
import { endingLabel } from "./labels.ts"
import type { Metrics } from "./metrics.ts"
import { failureFacts } from "./service.ts"

type Known = Pick<Job, "id" | "project">

const NO_ROOM =
  "Redis uses 90% of its memory, and new requests are turned away: raise its maxmemory, or give it a machine with more"
const STATUS = { key_refused: 401, forbidden: 403 } as const satisfies Record<KeyFault, number>

/**
 * Tells log and metrics what happens to jobs. The lines about one request hang together: the delivery's
 * carries Slack's id, the one of its acceptance that id and our job's, and all later ones the job's.
 * @param nameOf the name of a project, by its key
 */
export function instrumentJobs(log: Log, metrics: Metrics, nameOf: (key: string) => string) {
  const factsOf = ({ id, project }: Known) => ({ job: id, project: nameOf(project) })

  function ended(job: Known, ending: Ending): void {
    metrics.ended.inc({ ending: endingLabel(ending) })
    log.info({ ...factsOf(job), ending }, "a job ended")
  }

  function asked(request: NewRequest, answer: Submitted): void {
    const { project, channel, user, delivery, via, prompt } = request
    const { outcome } = answer
    const label = outcome === "same" ? "duplicate" : outcome === "no_room" ? "full" : outcome
    metrics.requests.inc({ outcome: label })
    const about = "id" in answer ? { job: answer.id } : {}
    const slack = via ? { slack: via } : {}
    const facts = {
      ...about,
      ...slack,
      delivery,
      project: nameOf(project),
      channel,
      user,
      outcome,
    }
    log.info(facts, "a request came in")
    log.debug({ ...about, prompt: prompt.words }, "its words")
    if (outcome === "no_room") log.warn(NO_ROOM)
  }

  function changed({ before, job }: Changed): void {
    if (
      before.state !== "ended" &&
      job.state === "ended" &&
      job.ending &&
      job.round >= before.round
    )
      ended(job, job.ending)
    if (before.card === undefined && job.card !== undefined)
      log.info(factsOf(job), "the card is posted")
    if (before.result?.round !== job.result?.round && job.result?.users.length)
      log.info(factsOf(job), "the closing reply is posted")
  }

  function created(job: Job, outcome: CreationOutcome): void {
    const project = nameOf(job.project)
    const [counter, what] =
      job.follows === undefined
        ? ([metrics.creations, "creation"] as const)
        : ([metrics.messages, "message"] as const)
    counter.inc({ project, outcome: outcome.kind })
    const { msg, ...facts } = happened(what, outcome)
    const isWell = outcome.kind === "created" || outcome.kind === "needs_job"
    const isPause = outcome.kind !== "put_back" || outcome.reason !== undefined
    log[isWell || !isPause ? "info" : "warn"](
      { job: job.id, project, outcome: outcome.kind, ...facts },
      msg,
    )
  }

  function lost(queue: string, count: number): void {
    log.warn({ queue, count }, "a process died while starting jobs; their outcome is unknown")
  }

  function deliveryFailed(job: Known, error: unknown, failures: number): void {
    if (isWorthALine(failures))
      log.error({ ...factsOf(job), failures, error }, "couldn't update Slack about a job; retrying")
  }

  function pollFailed(job: Known, error: unknown): void {
    log.error({ ...factsOf(job), error }, "a poll failed; retrying")
  }

  function polled(job: Known, outcome: string): void {
    metrics.polls.inc({ outcome })
    if (outcome !== "ok" && outcome !== "not_found")
      log.info({ ...factsOf(job), result: outcome }, "a poll got no answer")
  }

  /** Polls were refused with the project's key. */
  function paused(project: string, reason: KeyFault): void {
    log.warn({ project: nameOf(project), reason, status: STATUS[reason] }, "the queue is paused")
  }

  function resumed(project: string): void {
    log.info({ project: nameOf(project) }, "the service accepts the key again; the queue resumes")
  }

  return {
    asked,
    changed,
    created,
    lost,
    deliveryFailed,
    pollFailed,
    polled,
    paused,
    resumed,
  }
}

/** Names a creation's outcome in the words of the log. */
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
    case "not_allowed":
      return { msg: `a ${what} wasn't sent: its requester lost access` }
    case "refused": {
      const { detail, cause } = outcome
      return { detail, ...failureFacts(cause), msg: `a ${what} was refused` }
    }
    case "unknown": {
      const { detail, cause } = outcome
      return {
        detail,
        ...failureFacts(cause),
        ...(cause ? { error: cause } : {}),
        msg: `it's unclear whether a ${what} was accepted; the queue is paused`,
      }
    }
    case "put_back": {
      const { reason, pauseMs, cause } = outcome
      if (!reason) return { msg: `a ${what} wasn't sent in time; it's back in the queue` }
      const pause = pauseMs === undefined ? {} : { pauseMs }
      const msg = `a ${what} wasn't accepted; the queue is paused`
      return { reason, ...pause, ...failureFacts(cause), msg }
    }
    default:
      return outcome satisfies never
  }
}
