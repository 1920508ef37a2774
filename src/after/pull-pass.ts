import type { GitHubPulls } from "../github/client.ts"
import { type PullRef, pullRefOf } from "../github/pull.ts"
import type { Job, Pull } from "../jobs/job.ts"
import type { Held, JobStore } from "../jobs/job-store.ts"
import { jobKeys } from "../jobs/keys.ts"
import { pullFound, pullSeen } from "../jobs/transitions.ts"
import { UNTIL_WOKEN } from "../runtime/alarm.ts"
import { key } from "../store/keys.ts"
import type { Store } from "../store/script.ts"
import type { GitHubBudget } from "./github-budget.ts"
import { isOpen, lookedAt, type PullIntervals } from "./pull-life.ts"

const BATCH = 8
/** People who open their Home tab again and again cause no more looks than this, ms. */
const SOON_GAP_MS = 20_000

export interface PullDeps {
  jobs: JobStore
  github: Pick<GitHubPulls, "read">
  budget: GitHubBudget
  intervals: PullIntervals
  /** Longer than all requests about one pull request take, ms. */
  leaseMs: number
  /** Told each time the token is refused, or may not read a repository. */
  onRefused: (what: "token" | "repository", ref: PullRef) => Promise<void>
  /** Told of the requester of an open pull request before that is written down: see `reminder-pass.ts`. */
  onOpen: (user: string) => Promise<void>
}

/** One pass: looks at every pull request that is due. Returns how long to rest, ms. */
export async function pullPass(deps: PullDeps): Promise<number> {
  const held = await deps.jobs.claim("pulls", BATCH, deps.leaseMs)
  await Promise.all(held.map((one) => look(deps, one)))
  return held.length === BATCH ? 0 : UNTIL_WOKEN
}

async function look(deps: PullDeps, { job, now, lease }: Held): Promise<void> {
  const { jobs, github, budget, intervals } = deps
  const { pull } = job
  const settle = (againMs: number | "done") =>
    jobs.settle("pulls", lease, [{ id: job.id, againMs }])
  if (!hasPull(job) || !pull) return settle("done")
  const waitMs = await budget.take(requestsOf(pull))
  if (waitMs > 0) return settle(waitMs)
  const { limit, ...answer } = await github.read(pull, pull.size)
  if (limit) await budget.learn(limit)
  if (answer.kind === "later" && answer.pauseMs !== undefined) await budget.pause(answer.pauseMs)
  if (answer.kind === "refused") await deps.onRefused(answer.what, pull)
  const seen = lookedAt(job, answer, { now, intervals })
  if (answer.kind === "facts" && seen.isChanged && isOpen(seen.pull)) await deps.onOpen(job.user)
  // Another pull request that a follow-up has led to meanwhile is looked at next.
  let againMs: number | "done" = 0
  const written = await jobs.change(
    job.id,
    ({ job: is }) => {
      if (!hasPull(is) || !isSame(is.pull, pull)) return undefined
      const next = lookedAt(is, answer, { now, intervals })
      againMs = next.againMs
      return next.isChanged ? pullSeen(is, next.pull, next.isNews) : undefined
    },
    { schedule: jobKeys.schedule("pulls"), lease, againMs: () => againMs },
  )
  if (!written) await settle(againMs)
}

function hasPull(job: Job): job is Job & { pull: Pull } {
  return job.pull !== undefined
}

function isSame(a: PullRef, b: PullRef): boolean {
  return a.owner === b.owner && a.repo === b.repo && a.number === b.number
}

/** The pull request and its reviews; its files once. */
function requestsOf({ size }: Pull): number {
  return size ? 2 : 3
}

/** Follows a job's link where it leads to a pull request of this GitHub. @param firstMs until the first look */
export function followLinks(jobs: JobStore, apiUrl: string, firstMs: number) {
  return async (job: Pick<Job, "id">, prLink: string): Promise<void> => {
    const ref = pullRefOf(prLink, apiUrl)
    if (ref)
      await jobs.change(job.id, ({ job: is, now }) => pullFound(is, { ...ref, firstMs, now }))
  }
}

/** Looks at these jobs' pull requests now: somebody wants to see them. */
export async function lookSoon(store: Store, jobs: JobStore, ids: readonly string[]) {
  const [first] = ids
  if (first === undefined) return
  // The lists that people open begin with the same job each time.
  const gate = key("pulls", "soon", first)
  const isFirst = await store.redis.set(gate, "1", "PX", SOON_GAP_MS, "NX")
  if (isFirst) await jobs.hurry("pulls", ids)
}
