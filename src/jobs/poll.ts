import type { DocsApi } from "../docs/client.ts"
import type { AgentJob } from "../docs/schema.ts"
import { DocsError, orDocsError } from "../errors/docs-error.ts"
import { UNTIL_WOKEN } from "../runtime/alarm.ts"
import { raceAbort } from "../runtime/time.ts"
import type { Job } from "./job.ts"
import type { Held, JobStore } from "./job-store.ts"
import { jobKeys } from "./keys.ts"
import { type Observation, observe, type PollPolicy } from "./observe.ts"
import type { PollLessons } from "./poll-lessons.ts"
import { polled } from "./transitions.ts"

/** Jobs in one claim, and so the most that a worker asks about at a time. */
const BATCH = 64

export interface PollDeps {
  jobs: JobStore
  docs: Pick<DocsApi, "getJob">
  lessons: PollLessons
  policy: PollPolicy
  leaseMs: number
  random: () => number
  /** Told of every poll: what the service said, and what it means for the job. */
  onPoll: (job: Job, result: "ok" | DocsError["fault"], found: Observation) => void
  /** Told of unexpected errors. */
  onFailed: (job: Job, error: unknown) => void
  /** Told of a pull request before it is written down, so that a failure here is repeated. */
  onLink?: ((job: Job, prLink: string) => Promise<void>) | undefined
  /** Does the deployment build previews, as far as it is known? Without, a branch offers nothing. */
  hasPreviews: (project: string) => Promise<boolean>
  /** Aborted when the process stops: a poll changes nothing, so the next process asks instead. */
  signal: AbortSignal
}

/** One pass: polls every job that is due. Returns how long to rest, ms. */
export async function pollPass(deps: PollDeps): Promise<number> {
  const held = await deps.jobs.claim("polls", BATCH, deps.leaseMs)
  const [first] = held
  if (!first) return UNTIL_WOKEN
  // Jobs not asked about before the process stops are due again at once.
  const quiet = new Map(held.map(({ job }) => [job.id, 0]))
  const since = performance.now()
  const asking = held.map(async (one) => {
    const waitMs = await poll(deps, one, since).catch((error: unknown) => {
      deps.onFailed(one.job, error)
      return deps.policy.maxMs
    })
    if (waitMs === "written") quiet.delete(one.job.id)
    else quiet.set(one.job.id, waitMs)
  })
  await raceAbort(deps.signal, Promise.all(asking), undefined)
  const settled = [...quiet].map(([id, againMs]) => ({ id, againMs }))
  await deps.jobs.settle("polls", first.lease, settled)
  return held.length === BATCH ? 0 : UNTIL_WOKEN
}

/** Until the next poll where there is nothing new, ms. */
async function poll(
  deps: PollDeps,
  { job, now, lease }: Held,
  since: number,
): Promise<number | "written"> {
  const { jobs, lessons, policy, random, signal } = deps
  if (job.state !== "active" || job.agentJobId === undefined) {
    await jobs.settle("polls", lease, [{ id: job.id, againMs: "done" }])
    return "written"
  }
  const answer = await deps.docs.getJob(job.project, job.agentJobId).catch(orDocsError)
  const isGone = signal.aborted ? false : await lessons.heed(job, answer)
  if (signal.aborted) return 0
  const at = now + performance.now() - since
  const seen = observe(job, answer as AgentJob | DocsError, policy, {
    now: at,
    random: random(),
    isGone,
  })
  const isNewBranch = seen.branch !== undefined && seen.branch !== job.branch
  const isOffered = !isNewBranch || (await deps.hasPreviews(job.project))
  const found = isOffered ? seen : { ...seen, branch: undefined }
  deps.onPoll(job, answer instanceof DocsError ? answer.fault : "ok", found)
  const isNewLink = found.prLink !== undefined && found.prLink !== job.prLink
  const mayEnd = found.ending !== undefined && found.prLink !== undefined
  if (found.prLink !== undefined && (isNewLink || mayEnd)) await deps.onLink?.(job, found.prLink)
  const againMs = found.ending ? ("done" as const) : found.waitMs
  const held = { schedule: jobKeys.schedule("polls"), lease, againMs }
  const written = await jobs.change(
    job.id,
    ({ job: is, now: moment }) => polled(is, { ...found, now: moment }),
    held,
  )
  return written ? "written" : found.waitMs
}
