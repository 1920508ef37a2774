import type { DocsApi } from "../docs/client.ts"
import { DocsError, orDocsError } from "../errors/docs-error.ts"
import { isOver, type Job, type Preview } from "../jobs/job.ts"
import type { Held, JobStore } from "../jobs/job-store.ts"
import { jobKeys } from "../jobs/keys.ts"
import type { OptionalOperations } from "../jobs/operations.ts"
import { previewStepped } from "../jobs/transitions.ts"
import { UNTIL_WOKEN } from "../runtime/alarm.ts"
import { key } from "../store/keys.ts"
import { takeSlots } from "../store/limits.ts"
import type { Store } from "../store/script.ts"
import { afterRequest, afterStatus, type PreviewIntervals } from "./preview-step.ts"

const BATCH = 10
/** "5 a minute and organization", which the service's key belongs to. */
const PER_MINUTE = 5
/** One person alone starts no more of them, so that nobody's bulk locks the others out. */
const PER_PERSON = 3
const MINUTE_MS = 60_000

export interface PreviewDeps {
  store: Store
  jobs: JobStore
  docs: Pick<DocsApi, "buildPreview" | "previewStatus">
  operations: Pick<OptionalOperations, "learned">
  intervals: PreviewIntervals
  leaseMs: number
  /** The project whose minute a preview counts in. */
  accountOf: (project: string) => string
  /** The deployment turns out to have no previews: who clicked is told. */
  onAbsent: (job: Job, user: string) => Promise<void>
}

/** One pass: the next step of every preview that is due. Returns how long to rest, ms. */
export async function previewPass(deps: PreviewDeps): Promise<number> {
  const held = await deps.jobs.claim("previews", BATCH, deps.leaseMs)
  await Promise.all(held.map((one) => next(deps, one)))
  return held.length === BATCH ? 0 : UNTIL_WOKEN
}

async function next(deps: PreviewDeps, held: Held): Promise<unknown> {
  const { docs, intervals } = deps
  const { job, now } = held
  const { preview } = job
  switch (preview?.state) {
    case "asked":
      // Merged or closed while it waited: of what is over nothing is built.
      return isOver(job.pull?.state)
        ? write(deps, held, "over", "done")
        : request(deps, held, preview)
    case "sending":
      // A process died between the request and its answer: it is not sent a second time.
      return write(deps, held, { ...preview, state: "unknown" }, "done")
    case "building": {
      const { statusId = "" } = preview
      const answer = await docs.previewStatus(job.project, statusId).catch(orDocsError)
      const step = afterStatus(preview, answer, { now, ...intervals })
      return step.againMs === undefined
        ? write(deps, held, step.preview, "done")
        : settle(deps, held, step.againMs)
    }
    default:
      return settle(deps, held, "done")
  }
}

async function request(deps: PreviewDeps, held: Held, preview: Preview): Promise<unknown> {
  const { docs, operations, intervals } = deps
  const { job, now } = held
  const { isInLine, ...asked } = preview
  const waitMs = await takeTurn(deps, job, preview)
  if (waitMs > 0)
    return isInLine
      ? settle(deps, held, waitMs)
      : write(deps, held, { ...asked, isInLine: true }, waitMs)
  if (!(await write(deps, held, { ...asked, state: "sending" }))) return
  const answer = await docs.buildPreview(job.project, job.branch ?? "").catch(orDocsError)
  const step = afterRequest(asked, answer, { now, ...intervals })
  if (step !== "absent") {
    if (!(answer instanceof DocsError)) await operations.learned(job.project, "preview", "present")
    return write(deps, held, step.preview, step.againMs ?? "done")
  }
  await operations.learned(job.project, "preview", "absent")
  if (await write(deps, held, "absent", "done")) await deps.onAbsent(job, preview.by)
}

/** 0 where the build may start in this minute, else ms to wait. Asked again for one build it is 0 as well. */
async function takeTurn(
  { store, accountOf }: PreviewDeps,
  { id, project }: Job,
  { by, at }: Preview,
): Promise<number> {
  const account = key("previews", accountOf(project))
  const take = (log: string, cap: number) =>
    takeSlots(store, { log }, { cap, windowMs: MINUTE_MS }, [`${id} ${at}`])
  return (await take(`${account}:${by}`, PER_PERSON)) || take(account, PER_MINUTE)
}

/**
 * Writes the next state of the build. Without `againMs` the caller goes on with it. False where the lease
 * was lost, or the job has another build by now, such as after a follow-up.
 */
async function write(
  { jobs }: PreviewDeps,
  { job, lease }: Held,
  then: Preview | "absent" | "over",
  againMs?: number | "done",
): Promise<boolean> {
  const held = { schedule: jobKeys.schedule("previews"), lease }
  const changed = await jobs.change(
    job.id,
    ({ job: is }) => (is.preview?.at === job.preview?.at ? previewStepped(is, then) : undefined),
    againMs === undefined ? held : { ...held, againMs },
  )
  if (!changed) await settle({ jobs }, { job, lease }, 0)
  return changed !== undefined
}

function settle(
  { jobs }: Pick<PreviewDeps, "jobs">,
  { job, lease }: Pick<Held, "job" | "lease">,
  againMs: number | "done",
): Promise<void> {
  return jobs.settle("previews", lease, [{ id: job.id, againMs }])
}
