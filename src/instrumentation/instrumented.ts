import { SlackError } from "../errors/slack-error.ts"
import type { CreationSlots, JobStore, Outbox, PollQueue } from "../jobs/ports.ts"
import type { DocsApi } from "../ports/docs-api.ts"
import type { Instrumentation } from "./instrumentation.ts"

/** The same stores and service, with everything that an operator should see written to log and metrics. */

export function instrumentedJobs(jobs: JobStore, instrumentation: Instrumentation): JobStore {
  return {
    ...jobs,
    async enqueue(request) {
      const accepted = await jobs.enqueue(request)
      instrumentation.accepted(request, accepted)
      return accepted
    },
    async endQueued(job, ending, detail) {
      const ended = await jobs.endQueued(job, ending, detail)
      if (ended) instrumentation.ended(job, ending)
      return ended
    },
    async unfollow(job) {
      const ended = await jobs.unfollow(job)
      if (ended) instrumentation.ended(job, "unfollowed")
      return ended
    },
  }
}

export function instrumentedPolls(polls: PollQueue, instrumentation: Instrumentation): PollQueue {
  return {
    ...polls,
    async record(lease, job, found) {
      const taken = await polls.record(lease, job, found)
      if (taken && found.ending) instrumentation.ended(job, found.ending)
      return taken
    },
  }
}

export function instrumentedOutbox(outbox: Outbox, instrumentation: Instrumentation): Outbox {
  return {
    ...outbox,
    async cardPosted(job, ts) {
      await outbox.cardPosted(job, ts)
      instrumentation.cardPosted(job)
    },
    async settle(entry, result) {
      await outbox.settle(entry, result)
      if (result.closing !== undefined) instrumentation.closingPosted(entry.job)
    },
  }
}

export function instrumentedSlots(
  slots: CreationSlots,
  instrumentation: Instrumentation,
): CreationSlots {
  return {
    next: (project, create) =>
      slots.next(project, async (grant) => {
        const outcome = await create(grant)
        instrumentation.created(grant.job, outcome)
        return outcome
      }),
    async sweep(project) {
      const count = await slots.sweep(project)
      instrumentation.swept(project, count)
      return count
    },
  }
}

/** One read of Slack's; writes are told by the outbound itself. */
export function instrumentedRead(instrumentation: Instrumentation) {
  return async <T>(method: string, read: () => Promise<T>): Promise<T> => {
    try {
      const answer = await read()
      instrumentation.calledSlack(method, "ok")
      return answer
    } catch (error) {
      if (error instanceof SlackError) instrumentation.calledSlack(method, error.code)
      throw error
    }
  }
}

export function instrumentedDocs(docs: DocsApi, instrumentation: Instrumentation): DocsApi {
  async function timed<T>(operation: string, call: () => Promise<T>): Promise<T> {
    const started = performance.now()
    const seconds = () => (performance.now() - started) / 1000
    try {
      const answer = await call()
      instrumentation.calledService(operation, seconds())
      return answer
    } catch (error) {
      instrumentation.calledService(operation, seconds(), error)
      throw error
    }
  }
  const { sendMessage } = docs
  return {
    createJob: (...args) => timed("create_job", () => docs.createJob(...args)),
    getJob: (...args) => timed("get_job", () => docs.getJob(...args)),
    visitors: (...args) => timed("visitors", () => docs.visitors(...args)),
    sendMessage: sendMessage && ((...args) => timed("message", () => sendMessage(...args))),
  }
}
