import type { DocsApi } from "../docs/client.ts"
import { DocsError, orDocsError } from "../errors/docs-error.ts"
import { isOver, type Job, type Preview } from "../jobs/job.ts"
import type { Changed, Held, JobStore } from "../jobs/job-store.ts"
import { jobKeys } from "../jobs/keys.ts"
import type { OptionalOperations } from "../jobs/operations.ts"
import { previewStepped } from "../jobs/transitions.ts"
import { key } from "../store/keys.ts"
import { takeSlots } from "../store/limits.ts"
import type { Store } from "../store/script.ts"
import { eachDue } from "./each-due.ts"
import { afterRequest, afterStatus, type PreviewIntervals } from "./preview-step.ts"

const BATCH = 10
/** The service's limit: "5 a minute and organization"; the key belongs to the organization. */
const PER_MINUTE = 5
const MINUTE_MS = 60_000

export interface PreviewDeps {
  store: Store
  jobs: JobStore
  docs: Pick<DocsApi, "buildPreview" | "previewStatus">
  operations: Pick<OptionalOperations, "learned">
  intervals: PreviewIntervals
  leaseMs: number
  /** Returns the account whose minute a project's previews count in. */
  accountOf: (project: string) => string
  /** Tells the person who clicked that the deployment has no previews. */
  onAbsent: (job: Job, user: string) => Promise<void>
}

/** Takes the next step of every due preview. Returns the wait until the next pass, ms. */
export function previewPass(deps: PreviewDeps): Promise<number> {
  const { jobs, leaseMs } = deps
  return eachDue(jobs, "previews", { most: BATCH, leaseMs }, (held) => next(deps, held))
}

async function next(deps: PreviewDeps, held: Held): Promise<number | "done"> {
  const { docs, intervals } = deps
  const { job, now } = held
  const { preview } = job
  if (!preview) return "done"
  switch (preview.state) {
    case "asked":
      if (!isOver(job.pull?.state)) return request(deps, held, preview)
      // The pull request was merged or closed meanwhile, so the bot builds nothing.
      await write(deps, held, "over")
      return "done"
    case "sending":
      // A process died between the request and its answer, so the bot does not send it again.
      await write(deps, held, { ...preview, state: "unknown" })
      return "done"
    case "building": {
      const { statusId = "" } = preview
      const answer = await docs.previewStatus(job.project, statusId).catch(orDocsError)
      const step = afterStatus(preview, answer, { now, ...intervals })
      if (step.againMs === undefined) await write(deps, held, step.preview)
      return step.againMs ?? "done"
    }
    default:
      return "done"
  }
}

async function request(deps: PreviewDeps, held: Held, asked: Preview): Promise<number | "done"> {
  const { store, docs, operations, intervals, accountOf } = deps
  const { job, now } = held
  const account = { log: key("previews", accountOf(job.project)) }
  const minute = { cap: PER_MINUTE, windowMs: MINUTE_MS }
  const waitMs = await takeSlots(store, account, minute, [`${job.id} ${asked.at}`])
  if (waitMs > 0) return waitMs
  if (!(await write(deps, held, { ...asked, state: "sending" }))) return "done"
  const answer = await docs.buildPreview(job.project, job.branch ?? "").catch(orDocsError)
  const step = afterRequest(asked, answer, { now, ...intervals })
  const presence = step === "absent" ? "absent" : "present"
  if (presence === "absent" || !(answer instanceof DocsError))
    await operations.learned(job.project, "preview", presence)
  if (step !== "absent") {
    await write(deps, held, step.preview)
    return step.againMs ?? "done"
  }
  if (await write(deps, held, step)) await deps.onAbsent(job, asked.by)
  return "done"
}

/**
 * Writes the next state of the build. Returns undefined if the lease was lost, or if the job has
 * another build by now, for example after a follow-up; that one has its own schedule.
 */
function write(
  { jobs }: PreviewDeps,
  { job, lease }: Held,
  then: Preview | "absent" | "over",
): Promise<Changed | undefined> {
  return jobs.change<never>(
    job.id,
    ({ job: is }) => (is.preview?.at === job.preview?.at ? previewStepped(is, then) : undefined),
    { schedule: jobKeys.schedule("previews"), lease },
  )
}
