import { tellOnce } from "../asking/tell-admins.ts"
import type { Change } from "../jobs/change.ts"
import type { Context } from "../jobs/context.ts"
import type { Job, Pull, PullRef } from "../jobs/job.ts"
import { jobKeys } from "../jobs/job-keys.ts"
import type { Again, Held } from "../jobs/job-store.ts"
import { currentTime } from "../store/script.ts"
import {
  endRefusals,
  limitInForce,
  noteReading,
  noteRefusal,
  pauseLeft,
  refusalNotice,
  refusedAtLast,
  TOKEN,
} from "./github-limit.ts"
import { afterPoll } from "./github-schedule.ts"
import type { GitHubPulls } from "./read-pull-request.ts"

const BATCH = 8
/** Number of requests that one lease allows for; a poll without redirects makes at most seven. */
const MAX_REQUESTS = 9

/** GitHub as one token shows it. */
export interface GitHub {
  pulls: Pick<GitHubPulls, "read">
  tokenHash: string
}

/** Looks at what a new link or follow-up led to, however much the bot has asked in this hour. */
export async function firstLookPass(context: Context, github: GitHub): Promise<number> {
  const pauseMs = await pauseLeft(context.store, github.tokenHash)
  return pauseMs > 0 ? pauseMs : lookAtDue(context, github, "pulls")
}

/**
 * Looks again at open pull requests, within the bot's share of the token's hour. What is due stays
 * so meanwhile: then those that are overdue longest come first.
 */
export async function watchPass(context: Context, github: GitHub): Promise<number> {
  const { store } = context
  const { tokenHash } = github
  const now = await currentTime(store)
  const limit = await limitInForce(store, tokenHash, now)
  return limit ? limit.until - now : lookAtDue(context, github, "watch")
}

async function lookAtDue(
  context: Context,
  github: GitHub,
  kind: "pulls" | "watch",
): Promise<number> {
  const { leaseMs, gitHubTimeoutMs } = context.settings.timing
  const limits = { limit: BATCH, leaseMs: leaseMs + MAX_REQUESTS * gitHubTimeoutMs }
  const [watched, refused] = await Promise.all([
    context.store.redis.zcard(jobKeys.schedule("watch")),
    refusedAtLast(context.store, github.tokenHash),
  ])
  return context.jobs.eachDue(kind, limits, (held) =>
    look(context, github, held, { kind, watched, refused }),
  )
}

/** Facts about a pass, read once for all that it looks at. */
interface PassFacts {
  kind: "pulls" | "watch"
  watched: number
  refused: readonly string[]
}

async function look(
  context: Context,
  { pulls, tokenHash }: GitHub,
  held: Held,
  { kind, watched, refused }: PassFacts,
): Promise<Again> {
  const { store, jobs } = context
  const { job, now } = held
  const { pull } = job
  if (!pull) return "done"
  const reading = await pulls.read(pull, pull)
  const { answer } = reading
  await noteReading(store, tokenHash, reading, now)
  if (answer.kind === "refused") await tellAdmins(context, tokenHash, answer.what, pull)
  if (answer.kind === "facts" || answer.kind === "unchanged") {
    const readable = [TOKEN, repositoryOf(pull)]
    const ended = refused.filter((of) => readable.includes(of))
    await endRefusals(store, tokenHash, ended)
  }
  // A first look is repeated until GitHub answers; then the pull request is watched.
  const endsFirstLook = kind === "pulls" && answer.kind !== "later"
  let againMs: Again = "done"
  const decide = ({ job: latest }: { job: Job }) => {
    // A follow-up may have led to another pull request meanwhile.
    if (!latest.pull || !isSame(latest.pull, pull)) return undefined
    const seen = afterPoll(
      { ...latest, pull: latest.pull },
      answer,
      { now, watched },
      context.settings.timing.pulls,
    )
    againMs = seen.againMs
    // The drawing of the card decides if people see a difference.
    const change: Change | undefined = seen.isChanged
      ? { set: { pull: seen.pull }, due: { outbox: 0, reminders: 0 } }
      : undefined
    if (!endsFirstLook || againMs === "done") return change
    return { ...change, due: { ...change?.due, watch: againMs } }
  }
  // Mostly nothing has changed: then the job as it was claimed says when the next look is due.
  if (endsFirstLook || decide(held)) await jobs.change(job.id, decide, held)
  return endsFirstLook ? "done" : againMs
}

/** Returns a key of the repository, in whose name case does not matter. */
function repositoryOf({ owner, repo }: PullRef): string {
  return `${owner}/${repo}`.toLowerCase()
}

function isSame(a: PullRef, b: PullRef): boolean {
  return a.owner === b.owner && a.repo === b.repo && a.number === b.number
}

async function tellAdmins(
  context: Context,
  tokenHash: string,
  what: "token" | "repository",
  pull: Pull,
): Promise<void> {
  const repository = `${pull.owner}/${pull.repo}`
  const { isInContainer } = context.settings
  const of = what === "token" ? TOKEN : repositoryOf(pull)
  await noteRefusal(context.store, tokenHash, of, repository)
  await tellOnce(context, refusalNotice(tokenHash, of, { isInContainer, repository }))
}
