import { randomUUID } from "node:crypto"
import { WINDOW_MS } from "../config/timing.ts"
import type { GitHubPulls } from "../github/client.ts"
import { type PullRef, pullRefOf } from "../github/pull.ts"
import type { JobsDeps } from "../jobs/deps.ts"
import type { Job, Pull } from "../jobs/job.ts"
import type { Again, Held, JobStore } from "../jobs/job-store.ts"
import { pullFound, pullSeen } from "../jobs/transitions.ts"
import { tellOnce } from "../jobs/trouble/admin-notices.ts"
import { gitHubRefused, operatorLine } from "../messages/admin-notice.ts"
import type { Outbound } from "../slack/web-outbound.ts"
import { key } from "../store/keys.ts"
import { takeSlots } from "../store/limits.ts"
import type { Store } from "../store/script.ts"
import { afterPoll, REFUSED_MS } from "./pull-life.ts"

const BATCH = 8
/**
 * Hourly limit of counted requests, a fifth of the 5,000 that GitHub allows a token, because people
 * and other programs may use the same token.
 */
const PER_HOUR = { cap: 1000, windowMs: WINDOW_MS }
/** Number of requests that one lease allows for; a poll without redirects makes at most seven. */
const MAX_REQUESTS = 9

export interface PullDeps extends Pick<JobsDeps, "store" | "jobs" | "timing" | "rules"> {
  github: Pick<GitHubPulls, "read">
  tokenHash: string
  outbound: Pick<Outbound, "direct">
  log: { error(facts: object, says: string): void }
}

export function pullPass(deps: PullDeps): Promise<number> {
  const { leaseMs, gitHubTimeoutMs } = deps.timing
  const limits = { limit: BATCH, leaseMs: leaseMs + MAX_REQUESTS * gitHubTimeoutMs }
  return deps.jobs.eachDue("pulls", limits, (held) => pollPull(deps, held))
}

async function pollPull(deps: PullDeps, held: Held): Promise<Again> {
  const { store, jobs, github, tokenHash } = deps
  const { job, now } = held
  const { pull } = job
  if (!pull) return "done"
  // Counts the request for files only once, although each poll after a push makes it again.
  const waitMs = await takeRequests(store, tokenHash, pull.size ? 2 : 3)
  if (waitMs > 0) return waitMs
  const answer = await github.read(pull, pull.size)
  if (answer.kind === "facts" && answer.extra) await takeRequests(store, tokenHash, answer.extra)
  // GitHub's limits apply to the token, so all polls with it pause.
  if (answer.kind === "later" && answer.pauseMs)
    await store.redis.set(pauseKey(tokenHash), "1", "PX", Math.ceil(answer.pauseMs))
  if (answer.kind === "refused") await tellAdmins(deps, answer.what, pull)
  if (answer.kind === "facts")
    await store.redis.hdel(refusedKey(tokenHash), "token", repositoryOf(pull).toLowerCase())
  let againMs: Again = "done"
  const decide = ({ job: is }: { job: Job }) => {
    // A follow-up may have led to another pull request meanwhile.
    if (!is.pull || !isSame(is.pull, pull)) return undefined
    const seen = afterPoll({ ...is, pull: is.pull }, answer, now, deps.timing.pulls)
    againMs = seen.againMs
    return seen.isChanged ? pullSeen(is, seen.pull, seen.isNews) : undefined
  }
  await jobs.change(job.id, decide, held)
  return againMs
}

const pauseKey = (tokenHash: string) => key("github", tokenHash, "pause")

/** Returns the rest in ms of a pause that GitHub demands; none if it is not above 0. */
export function pausedFor({ redis }: Store, tokenHash: string): Promise<number> {
  return redis.pttl(pauseKey(tokenHash))
}

export async function takeRequests(store: Store, tokenHash: string, requests: number) {
  const pausedMs = await pausedFor(store, tokenHash)
  if (pausedMs > 0) return pausedMs
  const slots = Array.from({ length: requests }, () => randomUUID())
  return takeSlots(store, { log: key("github", tokenHash, "log") }, PER_HOUR, slots)
}

function repositoryOf({ owner, repo }: PullRef): string {
  return `${owner}/${repo}`
}

function isSame(a: PullRef, b: PullRef): boolean {
  return a.owner === b.owner && a.repo === b.repo && a.number === b.number
}

const refusedKey = (tokenHash: string) => key("github", tokenHash, "refused")

/** Lists what GitHub still refused at the last poll, for `/readyz`. */
export function gitHubTroubles({ redis }: Store, tokenHash: string): Promise<string[]> {
  return redis.hvals(refusedKey(tokenHash))
}

async function tellAdmins(deps: PullDeps, what: "token" | "repository", pull: Pull): Promise<void> {
  const message = gitHubRefused(what, pull)
  const line = operatorLine(message)
  const repository = repositoryOf(pull)
  const about = what === "token" ? what : repository.toLowerCase()
  const at = refusedKey(deps.tokenHash)
  // Outlasts the wait for the next poll, which repeats it as long as GitHub refuses.
  await deps.store.redis
    .multi()
    .hset(at, about, line)
    .pexpire(at, 2 * REFUSED_MS)
    .exec()
  await tellOnce(deps, `told:github:${deps.tokenHash}:${about}`, {
    log: () => deps.log.error({ repository }, line),
    message: () => message,
  })
}

/** Makes the handler that follows a link to a pull request, with a first poll after `firstMs`. */
export function followLinks(jobs: JobStore, apiUrl: string, firstMs: number) {
  return async (job: Pick<Job, "id">, prLink: string): Promise<void> => {
    const ref = pullRefOf(prLink, apiUrl)
    if (ref)
      await jobs.change(job.id, ({ job: is, now }) => pullFound(is, { ...ref, firstMs, now }))
  }
}
