import { type HourLimits, type Quota, quotaOf } from "./estimate.ts"
import { isEnded, type Job, type QueuePlace } from "./job.ts"
import { placesOf } from "./places.ts"
import type { JobStore } from "./ports.ts"
import type { QueueStore } from "./queue-ports.ts"
import { isMessages, queueOf } from "./queues.ts"

/** What a person sees of their own jobs and of the queue: `status`, `quota`, the Home tab. */
export interface Overview {
  now: number
  /**
   * Running jobs, newest first; queued ones in the order they start; then ended ones, newest first. With
   * the place in the queue and the card's address.
   */
  jobs: { job: Job; words: string; place?: QueuePlace; card?: string }[]
  /** How many running and queued jobs did not fit. */
  more: number
  quotas: { project: string; quota: Quota }[]
  /** Where the operator's GitHub is: pull requests there are named without it. */
  gitHubHost: string
}

interface OverviewDeps {
  jobs: JobStore
  queue: QueueStore
  limits: HourLimits
  projects: readonly { name: string }[]
  gitHubHost: string
  permalink: (channel: string, ts: string) => string | undefined
  /** Somebody wants to see these pull requests. Absent where none are followed. */
  pollSoon?: ((pulls: readonly string[]) => Promise<void>) | undefined
}

/** How many jobs fit. Running and queued ones come first; ended ones get what is left. */
export interface Room {
  open: number
  all: number
}

/** What `status` lists. */
export const STATUS_ROOM: Room = { open: 10, all: 10 }

export async function overviewOf(deps: OverviewDeps, user: string, room: Room): Promise<Overview> {
  const names = deps.projects.map(({ name }) => name)
  const [mine, facts] = await Promise.all([deps.jobs.ofUser(user, room.all), factsOf(deps, names)])
  await deps.pollSoon?.(mine.flatMap(({ pull }) => pull ?? []))
  const waiting = mine.filter(({ state }) => state === "queued").map(queueOf)
  const messages = await factsOf(deps, [...new Set(waiting.filter(isMessages))])
  const places = new Map(
    [...facts, ...messages].flatMap(({ facts }) => [...placesOf(facts, deps.limits)]),
  )
  const open = inOrder(
    mine.filter((job) => !isEnded(job)),
    places,
  )
  const shown = [...open.slice(0, room.open), ...mine.filter(isEnded)].slice(0, room.all)
  const jobs = shown.map(async (job) => {
    const words = (await deps.jobs.prompt(job.id))?.words ?? ""
    const place = places.get(job.id)
    const card = job.card && deps.permalink(job.channel, job.card)
    return { job, words, ...(place ? { place } : {}), ...(card ? { card } : {}) }
  })
  return {
    now: facts[0]?.facts.now ?? 0,
    jobs: await Promise.all(jobs),
    more: Math.max(0, open.length - room.open),
    quotas: facts.map(({ queue, facts }) => ({
      project: queue,
      quota: quotaOf(facts, deps.limits),
    })),
    gitHubHost: deps.gitHubHost,
  }
}

function factsOf({ queue }: OverviewDeps, queues: readonly string[]) {
  return Promise.all(queues.map(async (name) => ({ queue: name, facts: await queue.facts(name) })))
}

/** Running jobs, then queued ones in the order they start. @param jobs newest first */
function inOrder(jobs: readonly Job[], places: ReadonlyMap<string, QueuePlace>): Job[] {
  const rank = ({ id, state }: Job) =>
    state === "queued" ? (places.get(id)?.place ?? Infinity) : 0
  return jobs.toSorted((one, other) => {
    const [a, b] = [rank(one), rank(other)]
    return a === b ? 0 : a - b
  })
}
