import { admit } from "../asking/access-rules.ts"
import type { Context } from "../jobs/context.ts"
import { linkToCard, oncePerPull } from "../jobs/job.ts"
import {
  fairQueueOf,
  isMessages,
  messagesOf,
  projectOf,
  queueKeys,
  queueOf,
} from "../jobs/job-keys.ts"
import { firstWords } from "../jobs/request-record.ts"
import { allAsks, firstAsk, isForgotten } from "../jobs/rounds.ts"
import { placesOf, quotaOf, readQueue } from "../limit/queue-positions.ts"
import {
  homeView,
  type Listed,
  type Overview,
  type OverviewFacts,
} from "../messages/status-and-home.ts"
import type { HomeOpened } from "../slack/payloads.ts"
import type { Profile } from "../slack/profiles.ts"
import { aheadOf } from "../store/fair-order.ts"
import { isStale } from "./reminders.ts"

/**
 * Reads what `status`, `quota` and the Home tab show: a person's jobs, and the queues.
 * @param only ids of the jobs to read instead, whoever they are from
 */
export async function overviewOf(
  context: Context,
  profile: Pick<Profile, "user" | "timeZone">,
  only?: readonly string[],
): Promise<OverviewFacts> {
  const { gitHubHost, access, projects, reminderDays: days } = context.settings
  return {
    overview: await readOverview(context, profile, only),
    nameOf: projects.nameOf,
    gitHubHost,
    admins: access.admins,
    isStale: (job, { now, zone }) => isStale(job, { now, days, zone }),
  }
}

async function readOverview(
  context: Context,
  { user, timeZone: zone }: Pick<Profile, "user" | "timeZone">,
  only?: readonly string[],
): Promise<Overview> {
  const { redis } = context.store
  const mine = await (only ? context.jobs.findAll(only) : context.jobs.ofUser(user))
  const queued = mine.filter(({ job }) => job.state === "queued")
  // Its project, too, may be one that the settings no longer have.
  const waiting = queued.flatMap(({ job }) => [queueOf(job), job.project])
  const queues = await Promise.all(
    [...new Set([...context.settings.projects.keys, ...waiting])].map(async (queue) => {
      const facts = await readQueue(context, queue)
      const ahead = await aheadOf(context.store, fairQueueOf(queue, user), { user })
      const { wait } = queueKeys(messagesOf(projectOf(queue)))
      const followUps = await redis.zcard(wait)
      const quota = { ...quotaOf(facts, context.settings.limits, user, ahead), followUps }
      return { queue, now: facts.now, quota, placeOf: placesOf(facts, context.settings.limits) }
    }),
  )
  const shown = oncePerPull(mine).filter(
    ({ job }) => job.state !== "ended" || !isForgotten(allAsks(job)),
  )
  // The others are listed by their titles, and a long list has long texts.
  const untitled = shown.filter(({ job }) => !job.pull?.title)
  const prompts = await context.jobs.promptsOf(untitled.flatMap(({ job }) => firstAsk(job) ?? []))
  const listed = shown.map(({ job }): Listed => {
    const place = queues.find(({ queue }) => queue === queueOf(job))?.placeOf(job)
    return {
      job,
      words: firstWords({ job, prompts }),
      place,
      card: linkToCard(context.slack.state, job),
    }
  })
  return {
    now: queues[0]?.now ?? 0,
    zone,
    jobs: listed.toSorted((a, b) => homeOrder(a) - homeOrder(b)),
    quotas: queues
      .filter(({ queue }) => !isMessages(queue))
      .map(({ queue: project, quota }) => ({ project, quota })),
  }
}

function homeOrder({ job, place }: Listed): number {
  return job.state === "queued" ? (place?.place ?? Number.MAX_SAFE_INTEGER) : 0
}

/** Publishes the Home tab of the person who opens it, or a refusal, which only they see. */
export async function publishHome(context: Context, { user, tab }: HomeOpened) {
  if (tab !== "home") return {}
  const work = async () => {
    const entry = await admit(context, { user })
    const home =
      "refusal" in entry
        ? ({ type: "home", blocks: entry.refusal.blocks } as const)
        : homeView(await overviewOf(context, entry.profile))
    await context.slack.outbound.publishHome(user, home)
  }
  return { work }
}
