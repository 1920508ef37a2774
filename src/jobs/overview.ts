import { type HourLimits, type Quota, quotaOf } from "./estimate.ts"
import type { Job, QueuePlace } from "./job.ts"
import { placesOf } from "./places.ts"
import type { JobStore, QueueStore } from "./ports.ts"
import { isMessages, queueOf } from "./queues.ts"

/** What a person sees of their own jobs and of the queue: `status`, `quota`, the Home tab. */
export interface Overview {
  now: number
  /** Newest first, with the place of those that wait and the address of the card. */
  jobs: { job: Job; words: string; place?: QueuePlace; card?: string }[]
  quotas: { project: string; quota: Quota }[]
}

export interface OverviewDeps {
  jobs: JobStore
  queue: QueueStore
  limits: HourLimits
  projects: readonly { name: string }[]
  permalink: (channel: string, ts: string) => string | undefined
}

export async function overviewOf(
  deps: OverviewDeps,
  user: string,
  limit: number,
): Promise<Overview> {
  const names = deps.projects.map(({ name }) => name)
  const [mine, facts] = await Promise.all([deps.jobs.ofUser(user, limit), factsOf(deps, names)])
  const waiting = mine.filter(({ state }) => state === "queued").map(queueOf)
  const messages = await factsOf(deps, [...new Set(waiting.filter(isMessages))])
  const places = new Map(
    [...facts, ...messages].flatMap(({ facts }) => [...placesOf(facts, deps.limits)]),
  )
  const jobs = await Promise.all(
    mine.map(async (job) => {
      const words = (await deps.jobs.prompt(job.id))?.words ?? ""
      const place = places.get(job.id)
      const card = job.card && deps.permalink(job.channel, job.card)
      return { job, words, ...(place ? { place } : {}), ...(card ? { card } : {}) }
    }),
  )
  return {
    now: facts[0]?.facts.now ?? 0,
    jobs,
    quotas: facts.map(({ queue, facts }) => ({
      project: queue,
      quota: quotaOf(facts, deps.limits),
    })),
  }
}

function factsOf({ queue }: OverviewDeps, queues: readonly string[]) {
  return Promise.all(queues.map(async (name) => ({ queue: name, facts: await queue.facts(name) })))
}
