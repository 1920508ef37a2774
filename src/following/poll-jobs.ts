import type { AgentJob } from "../docs-service/docs-api.ts"
import { DocsError, orDocsError } from "../docs-service/docs-error.ts"
import type { Context } from "../jobs/context.ts"
import type { Job, PullRef } from "../jobs/job.ts"
import type { Again, Held } from "../jobs/job-store.ts"
import type { Ending, Round } from "../jobs/round-record.ts"
import { currentRound } from "../jobs/rounds.ts"
import { type Observation, polled } from "../jobs/send-round.ts"
import { raceAbort } from "../lib/time.ts"
import { learnFromPoll } from "../limit/refused-key.ts"
import { arrivesWithinMs } from "../limit/start-rounds.ts"

const BATCH = 64

/** @param stopping aborts when the process stops; another one can repeat a poll, which is a read */
export function pollPass(context: Context, stopping: AbortSignal): Promise<number> {
  const leaseMs = context.settings.timing.leaseMs + arrivesWithinMs(context.settings)
  return context.jobs.eachDue("polls", { limit: BATCH, leaseMs }, (held) =>
    raceAbort(poll(context, held, stopping), stopping, 0),
  )
}

async function poll(context: Context, held: Held, stopping: AbortSignal): Promise<Again> {
  const { job } = held
  if (job.state !== "active" || job.agentJobId === undefined) return "done"
  const answer = await context.docs.api.getJob(job.project, job.agentJobId).catch(orDocsError)
  if (stopping.aborted) return 0
  const { isPathRight } = await learnFromPoll(context, job, answer)
  const polledRound = { ...currentRound(job), prLink: job.prLink }
  const found = observe(polledRound, answer, context.settings.polling, {
    now: held.now,
    random: Math.random(),
    isPathRight,
  })
  context.events.polled(job, answer instanceof DocsError ? answer.fault : "ok")
  const { prLink, ending } = found
  const { github } = context.settings
  const isNews = prLink !== undefined && (ending || prLink !== job.prLink)
  const pull = isNews && github ? pullRefOf(prLink, github.web) : undefined
  const link = pull && { ...pull, firstMs: context.settings.timing.pulls.firstMs }
  await context.jobs.change(
    job.id,
    ({ job: latest, now }) => polled(latest, { ...found, link, now }),
    held,
  )
  return ending ? "done" : found.waitMs
}

type GitHubWeb = NonNullable<Context["settings"]["github"]>["web"]

const PULL = /^\/([\w.-]+)\/([\w.-]+)\/pull\/(\d{1,9})(?:\/|$)/i

/** Returns the pull request that a link leads to, if on this GitHub. Ignores case and suffixes. */
export function pullRefOf(link: string, web: GitHubWeb): PullRef | undefined {
  if (!URL.canParse(link)) return undefined
  const { host, pathname, protocol } = new URL(link)
  if (!/^https?:$/.test(protocol) || host !== web.host) return undefined
  if (!pathname.toLowerCase().startsWith(`${web.path.toLowerCase()}/`)) return undefined
  const [, owner, repo, number] = PULL.exec(pathname.slice(web.path.length)) ?? []
  return owner && repo && number ? { owner, repo, number: Number(number) } : undefined
}

/** Time in ms after a follow-up in which the service may still report the previous ending. */
const TURNING_MS = 20_000

type PollPolicy = Context["settings"]["polling"]

type Polled = Pick<Round, "startedAt" | "misses" | "way" | "seenActive"> & Pick<Job, "prLink">

/** Number of 404s in a row that prove a job gone; single ones were seen right after a creation. */
const MISSES_TO_GONE = 2

interface Circumstances {
  now: number
  /** Random number from 0 to 1, which spreads the polls. */
  random: number
  /** True if `DOCS_JOB_PATH` has found a job, so that a 404 is about the job itself. */
  isPathRight: boolean
}

export function observe(
  job: Polled,
  answer: AgentJob | DocsError,
  policy: PollPolicy,
  { now, random, isPathRight }: Circumstances,
): Observation {
  const ageMs = Math.max(0, now - (job.startedAt ?? now))
  const lost: { ending?: Ending } = ageMs >= policy.giveUpAfterMs ? { ending: "lost" } : {}
  const waitMs = nextWait(ageMs, policy, random)
  if (answer instanceof DocsError) {
    if (answer.fault === "not_found") {
      const misses = (job.misses ?? 0) + 1
      const isGone = isPathRight && misses >= MISSES_TO_GONE
      return { misses, waitMs, ...(isGone ? { ending: "gone" } : lost) }
    }
    // Problems at the service do not concern the requester, so the bot only polls later.
    const later = waitAfterFailure(policy, random, answer.retryAfterMs)
    return { misses: job.misses ?? 0, waitMs: later, ...lost }
  }
  // A link that people saw stays, although the service may report null once the job has ended.
  const prLink = answer.prLink ?? job.prLink
  const ending = endingReported({ ...answer, prLink })
  if (ending && ageMs < TURNING_MS && !isAboutMessage(job, answer.prLink)) {
    // This may be the ending of the work before the message, so the bot reports nothing yet.
    return { misses: 0, waitMs: Math.min(waitMs, TURNING_MS - ageMs) }
  }
  const turned = !ending && job.way === "message" ? { isActiveAgain: true as const } : {}
  return { misses: 0, waitMs, prLink, ...turned, ...(ending ? { ending } : lost) }
}

/** Returns whether the ending came after the message: it was active since, or its link is new. */
function isAboutMessage(job: Polled, prLink: string | undefined): boolean {
  if (job.way === "creation" || job.seenActive) return true
  return prLink !== undefined && prLink !== job.prLink
}

function endingReported({ status, prLink }: AgentJob): Ending | undefined {
  if (status === "active") return undefined
  if (status === "completed") return prLink ? "pull_request" : "no_pull_request"
  return status
}

/** Interval of a young job, as a multiple of the configured minimum. */
const STEADY = 2
/** Fraction of a job's age by which intervals grow: for a long job, a late reply matters less. */
const SHARE_OF_AGE = 0.03
/** Share by which intervals vary at random, so that jobs that began together spread out. */
const JITTER = 0.1

/**
 * Returns the ms until the next poll of a job of this age. The first polls are `minMs` apart, so
 * that the bot soon notices a job that ends at once; then the waits double and grow slowly, because
 * few jobs end in the first minute. The same number of polls at a fixed interval would notice a
 * typical end later.
 */
export function nextWait(ageMs: number, { minMs, maxMs }: PollPolicy, random: number): number {
  const steady = STEADY * minMs + SHARE_OF_AGE * ageMs
  const wait = Math.min(Math.max(Math.min(ageMs, steady), minMs), maxMs)
  return wait * (1 - JITTER + 2 * JITTER * random)
}

/**
 * Returns the ms until the next poll after one that the service did not answer: about the longest
 * interval, or what it asked for. @param retryAfterMs its Retry-After
 */
function waitAfterFailure({ maxMs }: PollPolicy, random: number, retryAfterMs = 0): number {
  return Math.max(retryAfterMs, maxMs * (0.75 + random / 2))
}
