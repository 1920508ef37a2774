import type { Context } from "../jobs/context.ts"
import type { Job } from "../jobs/job.ts"
import { fairQueueOf, isMessages, queueOf } from "../jobs/job-keys.ts"
import { firstWords } from "../jobs/request-text.ts"
import { allAsks, firstAsk, isForgotten } from "../jobs/rounds.ts"
import { defined } from "../lib/defined.ts"
import { placesOf, quotaOf, readQueue } from "../limit/queue-positions.ts"
import type { Listed, Overview } from "../messages/status-and-home.ts"
import type { Profile } from "../slack/profiles.ts"
import { aheadOf } from "../store/fair-order.ts"

const MAX_READ = 60

/**
 * Reads a person's jobs and the queues.
 * @param only ids of the jobs to read instead, whoever they are from
 */
export async function overviewOf(
  deps: Context,
  { user, timeZone: zone }: Pick<Profile, "user" | "timeZone">,
  only?: readonly string[],
): Promise<Overview> {
  const mine = await (only ? deps.jobs.findAll(only) : deps.jobs.ofUser(user, MAX_READ))
  const queued = mine.filter(({ job }) => job.state === "queued")
  // Its project, too, may be one that the settings no longer have.
  const waiting = queued.flatMap(({ job }) => [queueOf(job), job.project])
  const queues = await Promise.all(
    [...new Set([...deps.projectKeys, ...waiting])].map(async (queue) => {
      const facts = await readQueue(deps, queue)
      const ahead = await aheadOf(deps.store, fairQueueOf(queue, user), { user })
      const quota = quotaOf(facts, deps.limits, user, ahead)
      return { queue, now: facts.now, quota, placeOf: placesOf(facts, deps.limits) }
    }),
  )
  const shown = mine.filter(({ job }) => job.state !== "ended" || !isForgotten(allAsks(job)))
  const prompts = await deps.jobs.promptsOf(shown.flatMap(({ job }) => firstAsk(job) ?? []))
  const listed = shown.map(({ job }): Listed => {
    const place = queues.find(({ queue }) => queue === queueOf(job))?.placeOf(job)
    return {
      job,
      words: firstWords({ job, prompts }),
      ...defined({ place, card: linkToCard(deps, job) }),
    }
  })
  return {
    now: queues[0]?.now ?? 0,
    /** IANA name of the reader's time zone. */
    zone,
    jobs: listed.toSorted((a, b) => rank(a) - rank(b)),
    quotas: queues
      .filter(({ queue }) => !isMessages(queue))
      .map(({ queue: project, quota }) => ({ project, quota })),
  }
}

export function linkToCard(
  { permalink }: Pick<Context, "permalink">,
  { channel, card, thread }: Job,
): string | undefined {
  return card === undefined ? undefined : permalink(channel, card, thread)
}

function rank({ job, place }: Listed): number {
  return job.state === "queued" ? (place?.place ?? Number.MAX_SAFE_INTEGER) : 0
}
