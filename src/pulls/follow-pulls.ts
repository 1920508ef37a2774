import { tellOnce } from "../following/tell-admins-once.ts"
import type { Context } from "../jobs/context.ts"
import type { Job, Pull } from "../jobs/job.ts"
import { jobKeys } from "../jobs/job-keys.ts"
import type { Again, Held } from "../jobs/job-store.ts"
import { type PullRef, pullSeen } from "../jobs/pull-transitions.ts"
import { gitHubRefused, operatorLine } from "../messages/admin-notices.ts"
import type { Outbound } from "../slack/web-outbound.ts"
import { currentTime } from "../store/script.ts"
import type { GitHubPulls } from "./github-client.ts"
import {
  countRequests,
  endRefusals,
  keepPause,
  noteRefusal,
  pauseLeft,
  shareLeft,
} from "./github-limit.ts"
import { afterPoll } from "./look-schedule.ts"

const BATCH = 8
/** Number of requests that one lease allows for; a poll without redirects makes at most seven. */
const MAX_REQUESTS = 9

export interface PullDeps extends Pick<Context, "store" | "jobs" | "timing" | "rules"> {
  config: Pick<Context["config"], "isInContainer">
  github: Pick<GitHubPulls, "read">
  tokenHash: string
  outbound: Pick<Outbound, "direct">
  log: { error(facts: object, says: string): void }
}

/** Looks at what a new link or follow-up led to, however much the bot has asked in this hour. */
export async function firstLookPass(deps: PullDeps): Promise<number> {
  const pauseMs = await pauseLeft(deps.store, deps.tokenHash)
  return pauseMs > 0 ? pauseMs : lookAtDue(deps, "pulls")
}

/**
 * Looks again at open pull requests, within the bot's share of the token's hour. What is due stays
 * so meanwhile: then those that are overdue longest come first.
 */
export async function watchPass(deps: PullDeps): Promise<number> {
  const { store, tokenHash } = deps
  const waitMs = Math.max(
    await pauseLeft(store, tokenHash),
    await shareLeft(store, tokenHash, await currentTime(store)),
  )
  return waitMs > 0 ? waitMs : lookAtDue(deps, "watch")
}

async function lookAtDue(deps: PullDeps, kind: "pulls" | "watch"): Promise<number> {
  const { leaseMs, gitHubTimeoutMs } = deps.timing
  const limits = { limit: BATCH, leaseMs: leaseMs + MAX_REQUESTS * gitHubTimeoutMs }
  const watched = await deps.store.redis.zcard(jobKeys.schedule("watch"))
  return deps.jobs.eachDue(kind, limits, (held) => look(deps, held, { kind, watched }))
}

async function look(
  deps: PullDeps,
  held: Held,
  { kind, watched }: { kind: "pulls" | "watch"; watched: number },
): Promise<Again> {
  const { store, jobs, github, tokenHash } = deps
  const { job, now } = held
  const { pull } = job
  if (!pull) return "done"
  const { answer, counted } = await github.read(pull, pull)
  await countRequests(store, tokenHash, { counted, now })
  await keepPause(store, tokenHash, answer)
  if (answer.kind === "refused") await tellAdmins(deps, answer.what, pull)
  if (answer.kind === "facts") await endRefusals(store, tokenHash, repositoryOf(pull))
  let againMs: Again = "done"
  const decide = ({ job: is }: { job: Job }) => {
    // A follow-up may have led to another pull request meanwhile.
    if (!is.pull || !isSame(is.pull, pull)) return undefined
    const seen = afterPoll({ ...is, pull: is.pull }, answer, { now, watched }, deps.timing.pulls)
    againMs = seen.againMs
    const change = seen.isChanged ? pullSeen(seen.pull) : {}
    // A first look is repeated until GitHub answers; then the pull request is watched.
    if (kind === "watch" || answer.kind === "later" || againMs === "done")
      return seen.isChanged ? change : undefined
    return { ...change, due: { ...change.due, watch: againMs } }
  }
  await jobs.change(job.id, decide, held)
  return kind === "watch" || answer.kind === "later" ? againMs : "done"
}

/** Returns a key of the repository, in whose name case does not matter. */
function repositoryOf({ owner, repo }: PullRef): string {
  return `${owner}/${repo}`.toLowerCase()
}

function isSame(a: PullRef, b: PullRef): boolean {
  return a.owner === b.owner && a.repo === b.repo && a.number === b.number
}

async function tellAdmins(deps: PullDeps, what: "token" | "repository", pull: Pull): Promise<void> {
  const repository = `${pull.owner}/${pull.repo}`
  const message = gitHubRefused(what, { isInContainer: deps.config.isInContainer, repository })
  const line = operatorLine(message)
  const of = what === "token" ? what : repositoryOf(pull)
  await noteRefusal(deps.store, deps.tokenHash, of, line)
  await tellOnce(deps, `told:github:${deps.tokenHash}:${of}`, {
    log: () => deps.log.error({ repository }, line),
    message: () => message,
  })
}
