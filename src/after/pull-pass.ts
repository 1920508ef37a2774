import type { GitHubPulls } from "../github/client.ts"
import { type PullRef, pullRefOf } from "../github/pull.ts"
import type { Job, Pull } from "../jobs/job.ts"
import type { Held, JobStore } from "../jobs/job-store.ts"
import { jobKeys } from "../jobs/keys.ts"
import { pullFound, pullSeen } from "../jobs/transitions.ts"
import { once } from "../store/limits.ts"
import type { Store } from "../store/script.ts"
import { eachDue } from "./each-due.ts"
import type { GitHubBudget } from "./github-budget.ts"
import { lookedAt, type PullIntervals } from "./pull-life.ts"

const BATCH = 8
/** The shortest gap between extra readings, ms, however often people open their Home tab. */
const SOON_GAP_MS = 20_000

export interface PullDeps {
  jobs: JobStore
  github: Pick<GitHubPulls, "read">
  budget: GitHubBudget
  intervals: PullIntervals
  /** The lease, ms, longer than all requests about one pull request take. */
  leaseMs: number
  /** Called each time GitHub refuses the token or the reading of a repository. */
  onRefused: (what: "token" | "repository", ref: PullRef) => Promise<void>
}

/** Reads every pull request that is due. Returns the wait until the next pass, ms. */
export function pullPass(deps: PullDeps): Promise<number> {
  const { jobs, leaseMs } = deps
  return eachDue(jobs, "pulls", { most: BATCH, leaseMs }, (held) => look(deps, held))
}

async function look(deps: PullDeps, { job, now, lease }: Held): Promise<number | "done"> {
  const { jobs, github, budget, intervals } = deps
  const { pull } = job
  if (!pull) return "done"
  const waitMs = await budget.take(requestsOf(pull))
  if (waitMs > 0) return waitMs
  const answer = await github.read(pull, pull.size)
  if (answer.kind === "later" && answer.pauseMs) await budget.pause(answer.pauseMs)
  if (answer.kind === "refused") await deps.onRefused(answer.what, pull)
  let againMs: number | "done" = "done"
  const decide = ({ job: is }: { job: Job }) => {
    // A follow-up may have led to another pull request meanwhile.
    if (!hasPull(is) || !isSame(is.pull, pull)) return undefined
    const seen = lookedAt(is, answer, { now, intervals })
    againMs = seen.againMs
    return seen.isChanged ? pullSeen(is, seen.pull, seen.isNews) : undefined
  }
  await jobs.change(job.id, decide, { schedule: jobKeys.schedule("pulls"), lease })
  return againMs
}

function hasPull(job: Job): job is Job & { pull: Pull } {
  return job.pull !== undefined
}

function isSame(a: PullRef, b: PullRef): boolean {
  return a.owner === b.owner && a.repo === b.repo && a.number === b.number
}

/** Counts the requests of one reading: the pull request and its reviews, and its files the first time. */
function requestsOf({ size }: Pull): number {
  return size ? 2 : 3
}

/** Follows a job's link if it leads to a pull request on this GitHub. @param firstMs the wait for the first reading */
export function followLinks(jobs: JobStore, apiUrl: string, firstMs: number) {
  return async (job: Pick<Job, "id">, prLink: string): Promise<void> => {
    const ref = pullRefOf(prLink, apiUrl)
    if (ref)
      await jobs.change(job.id, ({ job: is, now }) => pullFound(is, { ...ref, firstMs, now }))
  }
}

/** Schedules a reading of these jobs' pull requests now, because somebody wants to see them. */
export async function lookSoon(store: Store, jobs: JobStore, ids: readonly string[]) {
  const [first] = ids
  // A person's list begins with the same job each time, so that job stands for the list.
  if (first && (await once(store, `look:${first}`, SOON_GAP_MS))) await jobs.hurry("pulls", ids)
}
