import { DocsError, orDocsError } from "../errors/docs-error.ts"
import { isOver, type Job, type Preview } from "../jobs/job.ts"
import type { Held, JobStore } from "../jobs/job-store.ts"
import { jobKeys } from "../jobs/keys.ts"
import type { OptionalOperations } from "../jobs/operations.ts"
import { previewStepped } from "../jobs/transitions.ts"
import type { DocsApi } from "../ports/docs-api.ts"
import { UNTIL_WOKEN } from "../runtime/alarm.ts"
import { key } from "../store/keys.ts"
import type { Store } from "../store/script.ts"
import { takeSlots } from "../store/window.ts"
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
  /** Whose minute a project's previews count in. */
  accountOf: (project: string) => string
  /** The deployment turns out to have no previews: who clicked is told. */
  onAbsent: (job: Job, user: string) => Promise<void>
}

type Next = Preview | "absent" | "over"

/** One pass: the next step of every preview that is due. Returns how long to rest, ms. */
export async function previewPass(deps: PreviewDeps): Promise<number> {
  const held = await deps.jobs.claim("previews", BATCH, deps.leaseMs)
  await Promise.all(held.map((one) => next(deps, one)))
  return held.length === BATCH ? 0 : UNTIL_WOKEN
}

async function next(deps: PreviewDeps, held: Held): Promise<void> {
  const { job, now } = held
  const { preview } = job
  switch (preview?.state) {
    case "asked":
      if (!isOver(job.pull?.state)) return request(deps, held, preview)
      // Merged or closed while it waited: of what is over nothing is built.
      return void (await record(deps, held, preview, "over", "done"))
    case "sending":
      // A process died between the request and its answer: it is not sent a second time.
      return void (await record(deps, held, preview, { ...preview, state: "unknown" }, "done"))
    case "building": {
      const { docs, intervals } = deps
      const answer = await docs
        .previewStatus(job.project, preview.statusId ?? "")
        .catch(orDocsError)
      const step = afterStatus(preview, answer, { now, ...intervals })
      return void (await record(deps, held, preview, step.preview, step.againMs ?? "done"))
    }
    default:
      return deps.jobs.settle("previews", held.lease, [{ id: job.id, againMs: "done" }])
  }
}

async function request(deps: PreviewDeps, held: Held, preview: Preview): Promise<void> {
  const { docs, operations, intervals } = deps
  const { job, now } = held
  const { isInLine: _, ...asked } = preview
  const waitMs = await takeTurn(deps, job, preview)
  if (waitMs > 0) {
    await record(deps, held, preview, { ...asked, isInLine: true }, waitMs)
    return
  }
  const sending = { ...asked, state: "sending" } as const
  if (!(await record(deps, held, preview, sending))) return
  const answer = await docs.buildPreview(job.project, job.branch ?? "").catch(orDocsError)
  const step = afterRequest(asked, answer, { now, ...intervals })
  if (step !== "absent") {
    if (!(answer instanceof DocsError)) await operations.learned(job.project, "preview", "present")
    await record(deps, held, sending, step.preview, step.againMs ?? "done")
    return
  }
  await operations.learned(job.project, "preview", "absent")
  if (await record(deps, held, sending, "absent", "done")) await deps.onAbsent(job, preview.by)
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
 * Writes the next state of the build that the caller saw. Without `againMs` the caller goes on with it.
 * False where the lease was lost, or another build was asked for.
 */
async function record(
  { jobs }: PreviewDeps,
  { job, lease }: Held,
  seen: Preview,
  then: Next,
  againMs?: number | "done",
): Promise<boolean> {
  const isSame =
    then === seen ||
    (typeof then === "object" && then.state === seen.state && then.isInLine === seen.isInLine)
  if (isSame) {
    await jobs.settle("previews", lease, [{ id: job.id, againMs: againMs ?? 0 }])
    return true
  }
  const held = { schedule: jobKeys.schedule("previews"), lease }
  const changed = await jobs.change(
    job.id,
    ({ job: is }) => (is.preview?.at === seen.at ? previewStepped(is, then) : undefined),
    againMs === undefined ? held : { ...held, againMs },
  )
  if (!changed) await jobs.settle("previews", lease, [{ id: job.id, againMs: 0 }])
  return changed !== undefined
}
