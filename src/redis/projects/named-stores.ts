import type { Draft, JobStore } from "../../jobs/ports.ts"
import type { OptionalOperations, ServiceHealth } from "../../jobs/service-ports.ts"
import type { Outbox, PollQueue } from "../../jobs/worker-ports.ts"
import type { ProjectNames, ReadProjectNames } from "./names.ts"

/**
 * The stores know a project by the name it is stored under, everybody else by its configured name. What
 * goes in and out is translated here, and nowhere else.
 */

/** Whatever belongs to a project. */
interface InProject {
  project: string
}

/** As people call it. */
export function called<T extends InProject>(names: ProjectNames, of: T): T {
  const project = names.nameOf(of.project)
  return project === of.project ? of : { ...of, project }
}

/** As the stores call it. */
export function stored<T extends InProject>(names: ProjectNames, of: T): T {
  const project = names.storedAs(of.project)
  return project === of.project ? of : { ...of, project }
}

export function namedJobs(jobs: JobStore, read: ReadProjectNames): JobStore {
  const calledOrNone = async <T extends InProject>(found: Promise<T | undefined>) => {
    const [names, one] = await Promise.all([read(), found])
    return one && called(names, one)
  }
  return {
    ...jobs,
    enqueue: async (job) => jobs.enqueue(stored(await read(), job)),
    get: (id) => calledOrNone(jobs.get(id)),
    inThread: (channel, root) => calledOrNone(jobs.inThread(channel, root)),
    async ofUser(user, ended) {
      const [names, found] = await Promise.all([read(), jobs.ofUser(user, ended)])
      return found.map((job) => called(names, job))
    },
    endQueued: async (job, ending, detail) =>
      jobs.endQueued(stored(await read(), job), ending, detail),
    async move(job, project) {
      const names = await read()
      return jobs.move(stored(names, job), names.storedAs(project))
    },
    async projectOf(channel) {
      const [names, chosen] = await Promise.all([read(), jobs.projectOf(channel)])
      return chosen && names.nameOf(chosen)
    },
    useProject: async (channel, project) =>
      jobs.useProject(channel, (await read()).storedAs(project)),
    saveDraft: async (draft) => jobs.saveDraft(stored(await read(), draft)),
    confirmDraft: async (draft) => jobs.confirmDraft(stored(await read(), draft)),
    draft: (id) => calledOrNone<Draft>(jobs.draft(id)),
  }
}

export function namedOperations(
  operations: OptionalOperations,
  read: ReadProjectNames,
): OptionalOperations {
  const storedAs = async (project: string) => (await read()).storedAs(project)
  return {
    presence: async (project, ...which) => operations.presence(await storedAs(project), ...which),
    learned: async (project, ...what) => operations.learned(await storedAs(project), ...what),
  }
}

export function namedHealth(health: ServiceHealth, read: ReadProjectNames): ServiceHealth {
  const storedAs = async (project: string) => (await read()).storedAs(project)
  return {
    keyRefused: async (project, ...how) => health.keyRefused(await storedAs(project), ...how),
    keyAccepted: async (project) => health.keyAccepted(await storedAs(project)),
    mayProbe: async (project, everyMs) => health.mayProbe(await storedAs(project), everyMs),
    jobFound: async (project) => health.jobFound(await storedAs(project)),
    jobMissed: async (project) => health.jobMissed(await storedAs(project)),
    jobPath: async (project) => health.jobPath(await storedAs(project)),
  }
}

export function namedOutbox(outbox: Outbox, read: ReadProjectNames): Outbox {
  return {
    ...outbox,
    async claim(limit) {
      const [names, claimed] = [await read(), await outbox.claim(limit)]
      return claimed.map((entry) => ({ ...entry, job: called(names, entry.job) }))
    },
  }
}

export function namedPolls(polls: PollQueue, read: ReadProjectNames): PollQueue {
  return {
    ...polls,
    async claim(limit) {
      // Before the claim: what cannot be named must not be leased for nothing.
      const names = await read()
      const claimed = await polls.claim(limit)
      return { ...claimed, jobs: claimed.jobs.map((job) => called(names, job)) }
    },
  }
}
