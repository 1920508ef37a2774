import { isOver, type Job, threadOf } from "../jobs/job.ts"
import type { JobStore } from "../jobs/ports.ts"
import type { GitHubPulls, PullAnswer, PullRef } from "../ports/github.ts"
import { UNTIL_WOKEN } from "../runtime/alarm.ts"
import { LONGEST_MS, type PollIntervals, stateOf, touchedAt, untilNextPoll } from "./life.ts"
import type { FollowedPull, GitHubBudget, PullNews, PullStore } from "./ports.ts"
import { isWorkingTime, reminderAt } from "./reminder.ts"

const BATCH = 8
/** The pull request, and its reviews. */
const REQUESTS = 2
/** Until another poll where the token is refused or may not read, ms. */
const REFUSED_MS = 3_600_000
/** After a poll without an answer, ms; doubles. */
const AGAIN_MS = 30_000

interface PollDeps {
  pulls: PullStore
  github: GitHubPulls
  budget: GitHubBudget
  jobs: Pick<JobStore, "get" | "isQuiet">
  /** IANA name of a person's time zone; undefined while Slack does not tell. */
  zoneOf: (user: string) => Promise<string | undefined>
  /** 0: nobody is reminded. */
  reminderDays: number
  intervals: PollIntervals
  /** Told each time the token is refused or may not read a repository. */
  onRefused: (what: "token" | "repository", ref: PullRef) => Promise<void>
}

/** One pass: polls every pull request that is due. Returns how long to rest, ms. */
export async function pollPulls(deps: PollDeps): Promise<number> {
  const { now, lease, pulls } = await deps.pulls.claim(BATCH)
  await Promise.all(
    pulls.map(async (pull) => deps.pulls.record(lease, pull, await poll(deps, pull, now))),
  )
  return pulls.length === BATCH ? 0 : UNTIL_WOKEN
}

async function poll(deps: PollDeps, pull: FollowedPull, now: number): Promise<PullNews> {
  const room = await deps.budget.take(REQUESTS)
  if (room > 0) return { failures: pull.failures, waitMs: room }
  const { rate, ...answer } = await deps.github.read(pull.ref, pull.facts)
  if (rate) await deps.budget.learn(rate)
  if (answer.kind === "later" && answer.pauseMs !== undefined)
    await deps.budget.pause(answer.pauseMs)
  if (answer.kind === "refused") await deps.onRefused(answer.what, pull.ref)
  const news = newsOf(pull, answer, now, deps.intervals)
  return { ...news, ...(await reminder(deps, pull, news, now)) }
}

/** What an answer means for a pull request. Pure. */
export function newsOf(
  pull: FollowedPull,
  answer: PullAnswer,
  now: number,
  intervals: PollIntervals,
): PullNews {
  const isOld = now - pull.since >= LONGEST_MS
  const until = (waitMs: number) => (isOld ? {} : { waitMs })
  const failures = pull.failures + 1
  switch (answer.kind) {
    case "facts": {
      const state = stateOf(answer.facts)
      const quietMs = now - Math.max(pull.since, touchedAt(answer.facts))
      const wait = isOver(state) ? intervals.longestMs : untilNextPoll(quietMs, intervals)
      return { facts: answer.facts, state, failures: 0, ...(state === "merged" ? {} : until(wait)) }
    }
    case "gone":
      return { failures: 0 }
    case "refused":
      return { failures, ...until(REFUSED_MS) }
    case "later": {
      const backoff = Math.min(AGAIN_MS * 2 ** Math.min(pull.failures, 10), intervals.longestMs)
      return { failures, ...until(Math.max(backoff, answer.pauseMs ?? 0)) }
    }
  }
}

/** Whether people are reminded now, or when to poll again for that. */
async function reminder(
  deps: PollDeps,
  pull: FollowedPull,
  { facts, state, waitMs }: PullNews,
  now: number,
): Promise<Pick<PullNews, "remind" | "waitMs">> {
  if (!facts || !state || deps.reminderDays === 0 || pull.reminded) return {}
  if (facts.phase !== "open") return {}
  const job = await jobToRemind(deps, pull)
  if (!job) return {}
  const zone = await deps.zoneOf(job.user)
  if (zone === undefined) return {}
  const at = reminderAt(touchedAt(facts), deps.reminderDays, zone)
  if (at <= now && isWorkingTime(now, zone)) return { remind: job.id }
  return at > now && waitMs !== undefined ? { waitMs: Math.min(waitMs, at - now) } : {}
}

/** The latest job of a pull request, in whose thread people are; undefined in a quiet one. */
async function jobToRemind(deps: PollDeps, { id }: FollowedPull): Promise<Job | undefined> {
  const ids = await deps.pulls.jobsOf(id)
  const jobs = (await Promise.all(ids.map((one) => deps.jobs.get(one)))).filter(
    (job) => job?.closing !== undefined && job.pull === id,
  )
  const latest = jobs.reduce((a, b) => ((b?.askedAt ?? 0) > (a?.askedAt ?? 0) ? b : a), jobs[0])
  const root = latest && threadOf(latest)
  if (!latest || !root) return undefined
  return latest.quiet || (await deps.jobs.isQuiet(latest.channel, root)) ? undefined : latest
}
