import type { Store } from "../store/script.ts"
import { isEnded, type Job, type QueuePlace } from "./job.ts"
import type { JobStore } from "./job-store.ts"
import type { HealthStore } from "./pause.ts"
import { type HourLimits, placesOf, type Quota, quotaOf } from "./places.ts"
import { firstWords } from "./prompt.ts"
import { readQueue } from "./queue-facts.ts"
import { isMessages, queueOf } from "./queues.ts"

/** One request as lists show it. */
export interface Listed {
  job: Job
  words: string
  place?: QueuePlace
  /** Address of its card. */
  card?: string
}

/** Reads what a person sees of their requests and of the queue: `status`, `quota`, the Home tab. */
export interface Overview {
  now: number
  /** Newest first; queued ones in the order they start. */
  jobs: Listed[]
  quotas: { project: string; quota: Quota }[]
}

export interface OverviewDeps {
  store: Store
  jobs: JobStore
  health: HealthStore
  limits: HourLimits
  /** Keys of all configured projects. */
  projects: readonly string[]
  permalink: (channel: string, ts: string, thread?: string) => string | undefined
  /** Somebody wants to see these jobs' pull requests. */
  pollSoon: (jobs: readonly string[]) => Promise<void>
}

/** Jobs of a person that are looked through. */
const MOST = 60

export async function overviewOf(deps: OverviewDeps, user: string): Promise<Overview> {
  const [mine, facts] = await Promise.all([
    deps.jobs.ofUser(user, MOST),
    Promise.all(deps.projects.map((queue) => factsOf(deps, queue))),
  ])
  await deps.pollSoon(mine.filter(({ job }) => job.pull).map(({ job }) => job.id))
  const queued = mine.filter(({ job }) => job.state === "queued").map(({ job }) => queueOf(job))
  const messages = await Promise.all(
    [...new Set(queued.filter(isMessages))].map((queue) => factsOf(deps, queue)),
  )
  const places = new Map(
    [...facts, ...messages].flatMap(({ facts: of }) => [...placesOf(of, deps.limits)]),
  )
  const shown = mine.filter(({ job }) => !isEnded(job) || !job.isForgotten)
  const listed = shown.map(({ job, words }): Listed => {
    const place = places.get(job.id)
    const card = job.card && deps.permalink(job.channel, job.card, job.thread)
    const first = firstWords(job, words)
    return { job, words: first, ...(place ? { place } : {}), ...(card ? { card } : {}) }
  })
  return {
    now: facts[0]?.facts.now ?? 0,
    jobs: listed.toSorted((a, b) => rank(a) - rank(b)),
    quotas: facts.map(({ queue, facts: of }) => ({
      project: queue,
      quota: quotaOf(of, deps.limits, user),
    })),
  }
}

async function factsOf({ store, health, limits }: OverviewDeps, queue: string) {
  return { queue, facts: await readQueue(store, health, queue, limits.windowMs) }
}

/** Queued ones follow each other in the order they start; all others keep their order. */
function rank({ job, place }: Listed): number {
  return job.state === "queued" ? (place?.place ?? Number.MAX_SAFE_INTEGER) : 0
}
