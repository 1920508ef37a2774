import type { Projects } from "../../config/projects.ts"
import type { DocsFault } from "../../docs-service/docs-error.ts"
import type { Changed } from "../../jobs/change.ts"
import type { JobEvents } from "../../jobs/context.ts"
import type { Job } from "../../jobs/job.ts"
import type { Kind } from "../../jobs/job-keys.ts"
import type { KeyFault } from "../../jobs/pause-record.ts"
import type { NewRequest, Submitted } from "../../jobs/request-record.ts"
import { endings } from "../../jobs/round-record.ts"
import { currentRound, endedRound } from "../../jobs/rounds.ts"
import type { AttemptOutcome } from "../../jobs/send-round.ts"
import type { Log } from "../../lib/log.ts"
import { isWorthALine } from "../../lib/loop.ts"
import { faultNotice, operatorLine } from "../../messages/admin-notices.ts"
import { failureFacts } from "./count-calls.ts"
import type { Metrics } from "./define-metrics.ts"

const NOT_KEPT =
  "DATA_DIR isn't writable: if Redis and all workers go down together, the hourly count starts from zero. Set DATA_DIR to a writable folder"
const UNREADABLE =
  "skipped an unreadable record: another version wrote it, or it was edited by hand. Run one version everywhere, or delete the record"
const ASKED: Record<string, string> = {
  queued: "request accepted",
  known: "request delivered again",
  same: "duplicate request",
}

/**
 * Reports job events to the log and the metrics. Ids connect the lines about one request: the first
 * has Slack's id, the "request accepted" line has both ids, and all later ones have the job's id.
 */
export class JobReporter implements JobEvents {
  readonly #log: Log
  readonly #metrics: Metrics
  readonly #projects: Pick<Projects, "nameOf">
  /** Keys of unreadable records, of which each is reported once. */
  readonly #unreadable = new Set<string>()
  #isKept = true

  constructor(log: Log, metrics: Metrics, projects: Projects) {
    this.#log = log
    this.#metrics = metrics
    this.#projects = projects
    beginAtZero(metrics, projects.all)
  }

  asked({ project, channel, user, delivery, event, prompt }: NewRequest, answer: Submitted): void {
    const { outcome } = answer
    if (outcome !== "known")
      this.#metrics.requests.inc({ outcome: outcome === "same" ? "duplicate" : outcome })
    const job = "id" in answer ? answer.id : undefined
    const name = this.#projects.nameOf(project)
    const ids = { job, slack: event, delivery, project: name, channel, user }
    this.#log.info({ ...ids, outcome }, ASKED[outcome] ?? "request rejected")
    this.#log.debug({ job, prompt: prompt.words }, "prompt")
    if (outcome === "no_room") this.#log.warn(operatorLine(faultNotice("redis_full", {})))
  }

  changed({ before, job }: Changed): void {
    const facts = this.#factsOf(job)
    const { ending } = endedRound(before, job) ?? {}
    if (ending) {
      this.#metrics.ended.inc({ ending })
      this.#log.info({ ...facts, ending }, "job ended")
    }
    if (before.card === undefined && job.card !== undefined) this.#log.info(facts, "card posted")
    const { id, told } = currentRound(job)
    const wasTold = before.rounds.some((round) => round.id === id && round.told)
    if (!wasTold && told?.users.length) this.#log.info(facts, "closing reply posted")
  }

  readonly unreadable = (key: string, error: unknown): void => {
    if (!this.#unreadable.has(key)) this.#log.error({ key, error }, UNREADABLE)
    this.#unreadable.add(key)
  }

  created(job: Job, outcome: AttemptOutcome): void {
    const what = currentRound(job).way
    const about = this.#factsOf(job)
    const { kind, cause, ...told } = { cause: undefined, ...outcome }
    this.#metrics[`${what}s`].inc({ project: about.project, outcome: kind })
    const error = kind === "unknown" ? cause : undefined
    const isWell = ["created", "needs_job", "no_text"].includes(kind)
    const isRequeued = outcome.kind === "put_back" && outcome.reason === undefined
    const facts = { ...about, outcome: kind, ...told, ...failureFacts(cause) }
    this.#log[isWell || isRequeued ? "info" : "warn"](
      { ...facts, error },
      isRequeued ? `${NAMES[what]} not sent in time; back in the queue` : says(what)[kind],
    )
  }

  lost(queue: string, count: number): void {
    const says = "a process died while starting jobs; their outcome is unknown"
    this.#log.warn({ queue, count }, says)
  }

  notKept(error: unknown): void {
    if (this.#isKept) this.#log.warn({ error }, NOT_KEPT)
    this.#isKept = false
  }

  deliveryFailed(job: Job, error: unknown, failures: number): void {
    const facts = { ...this.#factsOf(job), failures, error }
    if (isWorthALine(failures)) this.#log.error(facts, "Slack update failed; retrying")
  }

  readonly stepFailed = (kind: Kind, job: Job, error: unknown): void => {
    this.#log.error({ ...this.#factsOf(job), kind, error }, "work on a job failed; retrying")
  }

  polled(job: Job, result: "ok" | DocsFault): void {
    if (result !== "ok" && result !== "not_found")
      this.#log.info({ ...this.#factsOf(job), result }, "couldn't read job status")
  }

  paused(project: string, reason: KeyFault): void {
    this.#log.warn({ project: this.#projects.nameOf(project), reason }, "queue paused")
  }

  resumed(project: string): void {
    const name = this.#projects.nameOf(project)
    this.#log.info({ project: name }, "API key accepted again; queue resumed")
  }

  #factsOf({ id, project }: Job) {
    return { job: id, project: this.#projects.nameOf(project) }
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

const says = (what: keyof typeof NAMES): Record<AttemptOutcome["kind"], string> => ({
  created: `${NAMES[what]} ${DONE[what]}`,
  needs_job: "follow-up couldn't be sent as a message; starting a new job",
  no_text: `${NAMES[what]} not ${DONE[what]}: its text was deleted`,
  not_allowed: `${NAMES[what]} not ${DONE[what]}: requester lost access`,
  unreadable: `${NAMES[what]} not ${DONE[what]}: its text couldn't be read`,
  refused: `${NAMES[what]} rejected`,
  unknown: `couldn't confirm that the ${NAMES[what]} was ${DONE[what]}; queue paused`,
  put_back: `${NAMES[what]} not accepted; queue paused`,
})
