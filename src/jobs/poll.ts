import type { AgentJob } from "../docs/schema.ts"
import { DocsError, orDocsError } from "../errors/docs-error.ts"
import { UNTIL_WOKEN } from "../runtime/alarm.ts"
import { raceAbort } from "../runtime/time.ts"
import type { JobsDeps } from "./deps.ts"
import type { Job } from "./job.ts"
import type { Held } from "./job-store.ts"
import { jobKeys } from "./keys.ts"
import { observe } from "./observe.ts"
import { polled } from "./transitions.ts"
import { heed } from "./trouble/key-check.ts"

const BATCH = 64

interface Polling {
  /** Aborts polls when the process stops. A poll changes nothing, so another process can repeat it. */
  stopping: AbortSignal
  /** Called before the link is saved, so that after a failure the next poll repeats the call. */
  onLink: ((job: Job, prLink: string) => Promise<void>) | undefined
}

export async function pollPass(deps: JobsDeps, polling: Polling): Promise<number> {
  const leaseMs = deps.timing.leaseMs + deps.creationMs
  const held = await deps.jobs.claim("polls", BATCH, leaseMs)
  const [first] = held
  if (!first) return UNTIL_WOKEN
  // Jobs that the pass has not polled when the process stops are due again at once.
  const quiet = new Map(held.map(({ job }) => [job.id, 0]))
  const since = performance.now()
  const asking = held.map(async (one) => {
    const waitMs = await poll(deps, one, polling, since).catch((error: unknown) => {
      deps.events.pollFailed(one.job, error)
      return deps.policy.maxMs
    })
    if (waitMs === "written") quiet.delete(one.job.id)
    else quiet.set(one.job.id, waitMs)
  })
  await raceAbort(polling.stopping, Promise.all(asking), undefined)
  const settled = [...quiet].map(([id, againMs]) => ({ id, againMs }))
  await deps.jobs.settle("polls", first.lease, settled)
  return held.length === BATCH ? 0 : UNTIL_WOKEN
}

/** Polls one job. Resolves to `written`, or to ms until the next poll if nothing was written. */
async function poll(
  deps: JobsDeps,
  { job, now, lease }: Held,
  { stopping, onLink }: Polling,
  since: number,
): Promise<number | "written"> {
  const { jobs, policy } = deps
  if (job.state !== "active" || job.agentJobId === undefined) {
    await jobs.settle("polls", lease, [{ id: job.id, againMs: "done" }])
    return "written"
  }
  const answer = await deps.docs.getJob(job.project, job.agentJobId).catch(orDocsError)
  const isGone = stopping.aborted ? false : await heed(deps, job, answer)
  if (stopping.aborted) return 0
  const at = now + performance.now() - since
  const found = observe(job, answer as AgentJob | DocsError, policy, {
    now: at,
    random: Math.random(),
    isGone,
  })
  deps.events.polled(job, answer instanceof DocsError ? answer.fault : "ok")
  const isNewLink = found.prLink !== undefined && found.prLink !== job.prLink
  const mayEnd = found.ending !== undefined && found.prLink !== undefined
  if (found.prLink !== undefined && (isNewLink || mayEnd)) await onLink?.(job, found.prLink)
  const againMs = found.ending ? ("done" as const) : found.waitMs
  const held = { schedule: jobKeys.schedule("polls"), lease, againMs }
  const written = await jobs.change(
    job.id,
    ({ job: is, now: moment }) => polled(is, { ...found, now: moment }),
    held,
  )
  return written ? "written" : found.waitMs
}
