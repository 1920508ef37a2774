import { DocsError } from "../errors/docs-error.ts"
import type { Ending, Job } from "../jobs/job.ts"
import type {
  Accepted,
  CreationOutcome,
  CreationSlots,
  JobStore,
  NewJob,
  Outbox,
  PollQueue,
} from "../jobs/ports.ts"
import { endingLabel, statusLabel } from "../metrics/labels.ts"
import type { Metrics } from "../metrics/metrics.ts"
import type { DocsApi } from "../ports/docs-api.ts"
import type { Log } from "../runtime/log.ts"
import { isWorthALine } from "../runtime/loop.ts"

type Known = Pick<Job, "id" | "project">

/**
 * The same stores with what an operator should see written to log and metrics. The lines about one
 * prompt hang together: the delivery's carries Slack's id, the one of its acceptance that id and our
 * job's, and all later ones the job's.
 */
export function instrumentJobs(log: Log, metrics: Metrics) {
  function ended({ id, project }: Known, ending: Ending): void {
    metrics.ended.inc({ ending: endingLabel(ending) })
    log.info({ job: id, project, ending }, "a job ended")
  }

  function accepted(request: NewJob, accepted: Accepted): void {
    const { project, channel, user, idempotencyKey: delivery, via, prompt } = request
    const { outcome } = accepted
    metrics.requests.inc({ outcome })
    const job = outcome === "full" ? {} : { job: accepted.id }
    const slack = via ? { slack: via } : {}
    log.info({ ...job, ...slack, delivery, project, channel, user, outcome }, "a prompt came in")
    log.debug({ ...job, prompt: prompt.words }, "its words")
  }

  function created(job: Known & Pick<Job, "follows">, outcome: CreationOutcome): void {
    const { id, project, follows } = job
    const [counter, what] =
      follows === undefined ? [metrics.creations, "creation"] : [metrics.messages, "message"]
    counter.inc({ project, outcome: outcome.kind })
    const facts = { job: id, project, outcome: outcome.kind }
    if (outcome.kind === "unknown") {
      const { detail, cause: error } = outcome
      log.warn({ ...facts, detail, ...(error ? { error } : {}) }, `a ${what} has no known outcome`)
    } else log.info({ ...facts, ...whyOf(outcome) }, `a ${what} was tried`)
    if (outcome.kind === "refused" || outcome.kind === "unknown")
      ended({ id, project }, outcome.kind)
  }

  return {
    deliveryFailed: ({ id, project }: Known, error: unknown, failures: number): void => {
      if (isWorthALine(failures))
        log.error(
          { job: id, project, failures, error },
          "writing to Slack about a job failed and will be tried again",
        )
    },

    pollFailed: ({ id, project }: Known, error: unknown): void => {
      log.error({ job: id, project, error }, "a poll failed and will be tried again")
    },

    polled: ({ id, project }: Known, outcome: string): void => {
      metrics.polls.inc({ outcome })
      if (outcome !== "ok" && outcome !== "not_found")
        log.info({ job: id, project, result: outcome }, "a poll got no answer")
    },

    store: (store: JobStore): JobStore => ({
      ...store,
      async enqueue(request) {
        const answer = await store.enqueue(request)
        accepted(request, answer)
        return answer
      },
      async endQueued(job, ending, detail) {
        const done = await store.endQueued(job, ending, detail)
        if (done) ended(job, ending)
        return done
      },
      async unfollow(job) {
        const done = await store.unfollow(job)
        if (done) ended(job, "unfollowed")
        return done
      },
    }),

    polls: (queue: PollQueue): PollQueue => ({
      ...queue,
      async record(lease, job, found) {
        const taken = await queue.record(lease, job, found)
        if (taken && found.ending) ended(job, found.ending)
        return taken
      },
    }),

    outbox: (outbox: Outbox): Outbox => ({
      ...outbox,
      async cardPosted(job, ts) {
        await outbox.cardPosted(job, ts)
        log.info({ job: job.id, project: job.project }, "the card is posted")
      },
      async settle(entry, result) {
        await outbox.settle(entry, result)
        if (result.closing === undefined) return
        log.info({ job: entry.job.id, project: entry.job.project }, "the closing reply is posted")
      },
    }),

    slots: (slots: CreationSlots): CreationSlots => ({
      next: (queue, create) =>
        slots.next(queue, async (grant) => {
          const outcome = await create(grant)
          created(grant.job, outcome)
          return outcome
        }),
      async sweep(queue) {
        const count = await slots.sweep(queue)
        if (count === 0) return 0
        metrics.ended.inc({ ending: "unknown" }, count)
        log.warn({ queue, count }, "a process died while creating jobs: their outcome is unknown")
        return count
      },
    }),
  }
}

/** What came of a creation that got a clear answer. */
function whyOf(outcome: Exclude<CreationOutcome, { kind: "unknown" }>): object {
  if (outcome.kind === "created") return { agentJob: outcome.agentJobId }
  if (outcome.kind === "refused") return { detail: outcome.detail }
  return outcome.kind === "put_back" && outcome.reason ? { reason: outcome.reason } : {}
}

/** The same service, with how long each request took and how it ended. */
export function instrumentDocs(docs: DocsApi, metrics: Metrics): DocsApi {
  async function timed<T>(operation: string, call: () => Promise<T>): Promise<T> {
    const started = performance.now()
    const count = (status: string) => {
      metrics.serviceCalls.inc({ operation, status })
      metrics.serviceSeconds.observe({ operation }, (performance.now() - started) / 1000)
    }
    try {
      const answer = await call()
      count("ok")
      return answer
    } catch (error) {
      count(statusLabel(statusOf(error)))
      throw error
    }
  }
  const { sendMessage } = docs
  return {
    createJob: (...args) => timed("create_job", () => docs.createJob(...args)),
    getJob: (...args) => timed("get_job", () => docs.getJob(...args)),
    visitors: (...args) => timed("visitors", () => docs.visitors(...args)),
    assistant: (...args) => timed("assistant", () => docs.assistant(...args)),
    searches: (...args) => timed("searches", () => docs.searches(...args)),
    thumbs: (...args) => timed("thumbs", () => docs.thumbs(...args)),
    sendMessage: sendMessage && ((...args) => timed("message", () => sendMessage(...args))),
  }
}

function statusOf(error: unknown): string {
  if (!(error instanceof DocsError)) return "other"
  return error.status === undefined ? error.fault : String(error.status)
}
