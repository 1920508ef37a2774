import type { DocsApi } from "../docs/api.ts"
import type { CreationSlots, JobStore, Outbox, PollQueue } from "../jobs/ports.ts"
import { SlackError } from "../slack/errors.ts"
import type { Watch } from "./watch.ts"

/** The same stores and service, with everything that an operator should see told to the watch. */

export function watchedJobs(jobs: JobStore, watch: Watch): JobStore {
  return {
    ...jobs,
    async enqueue(request) {
      const accepted = await jobs.enqueue(request)
      watch.accepted(request, accepted)
      return accepted
    },
    async endQueued(job, ending, detail) {
      const ended = await jobs.endQueued(job, ending, detail)
      if (ended) watch.ended(job, ending)
      return ended
    },
    async unfollow(job) {
      const ended = await jobs.unfollow(job)
      if (ended) watch.ended(job, "unfollowed")
      return ended
    },
  }
}

export function watchedPolls(polls: PollQueue, watch: Watch): PollQueue {
  return {
    ...polls,
    async observed(lease, job, found) {
      const taken = await polls.observed(lease, job, found)
      if (taken && found.ending) watch.ended(job, found.ending)
      return taken
    },
  }
}

export function watchedOutbox(outbox: Outbox, watch: Watch): Outbox {
  return {
    ...outbox,
    async carded(job, ts) {
      await outbox.carded(job, ts)
      watch.carded(job)
    },
    async said(utterance, result) {
      await outbox.said(utterance, result)
      if (result.closing !== undefined) watch.closed(utterance.job)
    },
  }
}

export function watchedSlots(slots: CreationSlots, watch: Watch): CreationSlots {
  return {
    next: (project, create) =>
      slots.next(project, async (grant) => {
        const outcome = await create(grant)
        watch.created(grant.job, outcome)
        return outcome
      }),
    async sweep(project) {
      const count = await slots.sweep(project)
      watch.swept(project, count)
      return count
    },
  }
}

/** One read of Slack's; writes are told by the outbound itself. */
export function watchedRead(watch: Watch) {
  return async <T>(method: string, read: () => Promise<T>): Promise<T> => {
    try {
      const answer = await read()
      watch.calledSlack(method, "ok")
      return answer
    } catch (error) {
      if (error instanceof SlackError) watch.calledSlack(method, error.code)
      throw error
    }
  }
}

export function watchedDocs(docs: DocsApi, watch: Watch): DocsApi {
  async function timed<T>(operation: string, call: () => Promise<T>): Promise<T> {
    const started = performance.now()
    const seconds = () => (performance.now() - started) / 1000
    try {
      const answer = await call()
      watch.calledService(operation, seconds())
      return answer
    } catch (error) {
      watch.calledService(operation, seconds(), error)
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
