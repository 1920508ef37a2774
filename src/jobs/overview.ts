import { type HourLimits, type Quota, quotaOf } from "./estimate.ts"
import type { Job, QueuePlace } from "./job.ts"
import { placesOf } from "./places.ts"
import type { JobStore, QueueStore } from "./ports.ts"

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
  const [mine, facts] = await Promise.all([
    deps.jobs.ofUser(user, limit),
    Promise.all(
      deps.projects.map(async ({ name }) => ({
        project: name,
        facts: await deps.queue.facts(name),
      })),
    ),
  ])
  const places = new Map(facts.flatMap(({ facts }) => [...placesOf(facts, deps.limits)]))
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
    quotas: facts.map(({ project, facts }) => ({ project, quota: quotaOf(facts, deps.limits) })),
  }
}
