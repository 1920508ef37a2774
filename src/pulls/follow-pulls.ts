import { tellOnce } from "../asking/tell-admins.ts"
import type { Change } from "../jobs/change.ts"
import type { Context } from "../jobs/context.ts"
import type { Job, Pull, PullRef } from "../jobs/job.ts"
import { jobKeys } from "../jobs/job-keys.ts"
import type { Again, Held } from "../jobs/job-store.ts"
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
  const [pauseMs, facts] = await Promise.all([
    pauseLeft(context.store, github.tokenHash),
    readPassFacts(context, github),
  ])
  return pauseMs > 0 ? pauseMs : lookAtDue(context, github, { ...facts, kind: "pulls" })
}

/**
 * Looks again at open pull requests, within the bot's share of the token's hour. What is due stays
 * so meanwhile: then those that are overdue longest come first.
 */
export async function watchPass(context: Context, github: GitHub): Promise<number> {
  const [limit, facts] = await Promise.all([
    limitInForce(context.store, github.tokenHash),
    readPassFacts(context, github),
  ])
  return limit ? limit.leftMs : lookAtDue(context, github, { ...facts, kind: "watch" })
}

/** Reads once per pass what all its looks need. */
async function readPassFacts({ store }: Context, { tokenHash }: GitHub) {
  const [watched, refused] = await Promise.all([
    store.redis.zcard(jobKeys.schedule("watch")),
    refusedAtLast(store, tokenHash),
  ])
  return { watched, refused }
}

interface PassFacts extends Awaited<ReturnType<typeof readPassFacts>> {
  kind: "pulls" | "watch"
}

function lookAtDue(context: Context, github: GitHub, facts: PassFacts): Promise<number> {
  const { leaseMs, gitHubTimeoutMs } = context.settings.timing
  const limits = { limit: BATCH, leaseMs: leaseMs + MAX_REQUESTS * gitHubTimeoutMs }
  return context.jobs.eachDue(facts.kind, limits, (held) => look(context, github, held, facts))
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
