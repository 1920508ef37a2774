import type { JobsDeps } from "./deps.ts"
import { isEnded, type Job, type QueuePlace } from "./job.ts"
import { placesOf, type Quota, quotaOf } from "./limit/places.ts"
import { readQueue } from "./limit/queue-facts.ts"
import { isMessages, queueOf } from "./limit/queues.ts"
import { firstWords } from "./prompt/prompt.ts"

export interface Listed {
  job: Job
  words: string
  place?: QueuePlace
  card?: string
}

/** A person's requests and the queue, as `status`, `quota` and the Home tab show them. */
export interface Overview {
  now: number
  jobs: Listed[]
  quotas: { project: string; quota: Quota }[]
}

const MOST = 60

/** Reads a person's jobs and the queues. @param slack.pollSoon polls pull requests that somebody looks at */
export async function overviewOf(
  deps: JobsDeps,
  slack: {
    permalink: (channel: string, ts: string, thread?: string) => string | undefined
    pollSoon: (jobs: readonly string[]) => Promise<void>
  },
  user: string,
): Promise<Overview> {
  const [mine, facts] = await Promise.all([
    deps.jobs.ofUser(user, MOST),
    Promise.all(deps.projectKeys.map((queue) => factsOf(deps, queue))),
  ])
  await slack.pollSoon(mine.filter(({ job }) => job.pull).map(({ job }) => job.id))
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
    const card = job.card && slack.permalink(job.channel, job.card, job.thread)
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

async function factsOf(deps: JobsDeps, queue: string) {
  return { queue, facts: await readQueue(deps, queue) }
}

function rank({ job, place }: Listed): number {
  return job.state === "queued" ? (place?.place ?? Number.MAX_SAFE_INTEGER) : 0
}
