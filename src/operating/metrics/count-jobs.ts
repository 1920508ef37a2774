import type { CreationOutcome } from "../../jobs/creation-outcome.ts"
import type { JobEvents } from "../../jobs/events.ts"
import type { Job } from "../../jobs/job.ts"
import { endings } from "../../jobs/round.ts"
import { currentRound, endedRound } from "../../jobs/rounds.ts"
import { defined } from "../../lib/defined.ts"
import type { Log } from "../../lib/log.ts"
import { isWorthALine } from "../../lib/loop.ts"
import { failureFacts } from "./count-calls.ts"
import type { Metrics } from "./metrics.ts"

const NO_ROOM =
  "Redis has used 90% of its memory; rejecting new requests. Raise maxmemory or add memory"
const NOT_KEPT =
  "DATA_DIR isn't writable: if Redis and all workers go down together, the hourly count starts from zero. Set DATA_DIR to a writable folder"
const ASKED: Record<string, string> = { queued: "request accepted", same: "duplicate request" }

/**
 * Reports job events to the log and the metrics. Ids connect the lines about one request: the first
 * has Slack's id, the "request accepted" line has both ids, and all later ones have the job's id.
 */
export function instrumentJobs(
  log: Log,
  metrics: Metrics,
  projects: readonly { key: string; name: string }[],
): JobEvents {
  const nameOf = (project: string) => projects.find(({ key }) => key === project)?.name ?? "removed"
  const factsOf = ({ id, project }: Job) => ({ job: id, project: nameOf(project) })
  let isKept = true
  beginAtZero(metrics, projects)

  return {
    asked({ project, channel, user, delivery, event, prompt }, answer) {
      const { outcome } = answer
      metrics.requests.inc({ outcome: outcome === "same" ? "duplicate" : outcome })
      const job = "id" in answer ? answer.id : undefined
      const ids = { job, slack: event, delivery, project: nameOf(project), channel, user }
      log.info(defined({ ...ids, outcome }), ASKED[outcome] ?? "request rejected")
      log.debug(defined({ job, prompt: prompt.words }), "prompt")
      if (outcome === "no_room") log.warn(NO_ROOM)
    },

    changed({ before, job }) {
      const { ending } = endedRound(before, job) ?? {}
      if (ending) {
        metrics.ended.inc({ ending })
        log.info({ ...factsOf(job), ending }, "job ended")
      }
      if (before.card === undefined && job.card !== undefined) log.info(factsOf(job), "card posted")
      const { id, told } = currentRound(job)
      const wasTold = before.rounds.some((round) => round.id === id && round.told)
      if (!wasTold && told?.users.length) log.info(factsOf(job), "closing reply posted")
    },

    created(job, outcome) {
      const what = currentRound(job).way
      const about = factsOf(job)
      const { kind, cause, ...told } = { cause: undefined, ...outcome }
      metrics[`${what}s`].inc({ project: about.project, outcome: kind })
      const error = kind === "unknown" ? cause : undefined
      const isWell = ["created", "needs_job", "no_text"].includes(kind)
      const isRequeued = outcome.kind === "put_back" && outcome.reason === undefined
      const facts = { ...about, outcome: kind, ...told, ...failureFacts(cause) }
      log[isWell || isRequeued ? "info" : "warn"](
        defined({ ...facts, error }),
        isRequeued ? `${NAMES[what]} not sent in time; back in the queue` : says(what)[kind],
      )
    },

    lost(queue, count) {
      log.warn({ queue, count }, "a process died while starting jobs; their outcome is unknown")
    },

    notKept(error) {
      if (isKept) log.warn({ error }, NOT_KEPT)
      isKept = false
    },

    deliveryFailed(job, error, failures) {
      const facts = { ...factsOf(job), failures, error }
      if (isWorthALine(failures)) log.error(facts, "Slack update failed; retrying")
    },

    pollFailed(job, error) {
      log.error({ ...factsOf(job), error }, "poll failed; retrying")
    },

    polled(job, outcome) {
      if (outcome !== "ok" && outcome !== "not_found")
        log.info({ ...factsOf(job), result: outcome }, "couldn't read job status")
    },

    paused(project, reason) {
      log.warn({ project: nameOf(project), reason }, "queue paused")
    },

    resumed(project) {
      log.info({ project: nameOf(project) }, "API key accepted again; queue resumed")
    },
  }
}

/** Creates each counter at 0: Prometheus sees no increase in a series that begins at 1. */
function beginAtZero(metrics: Metrics, projects: readonly { name: string }[]): void {
  for (const outcome of ["queued", "duplicate", "full", "no_room"])
    metrics.requests.inc({ outcome }, 0)
  for (const ending of endings) metrics.ended.inc({ ending }, 0)
  for (const { name: project } of projects)
    for (const outcome of Object.keys(says("message"))) {
      metrics.messages.inc({ project, outcome }, 0)
      if (outcome !== "needs_job") metrics.creations.inc({ project, outcome }, 0)
    }
}

const NAMES = { creation: "job", message: "follow-up" } as const
const DONE = { creation: "started", message: "delivered" } as const

const says = (what: keyof typeof NAMES): Record<CreationOutcome["kind"], string> => ({
  created: `${NAMES[what]} ${DONE[what]}`,
  needs_job: "follow-up couldn't be sent as a message; starting a new job",
  no_text: `${NAMES[what]} not ${DONE[what]}: its text was deleted`,
  not_allowed: `${NAMES[what]} not ${DONE[what]}: requester lost access`,
  refused: `${NAMES[what]} rejected`,
  unknown: `couldn't confirm that the ${NAMES[what]} was ${DONE[what]}; queue paused`,
  put_back: `${NAMES[what]} not accepted; queue paused`,
})
