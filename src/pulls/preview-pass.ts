import type { DocsApi } from "../docs-service/docs-client.ts"
import { orDocsError } from "../docs-service/docs-error.ts"
import { type TellingDeps, tellPrivately } from "../following/tell-requesters.ts"
import type { JobsDeps } from "../jobs/deps.ts"
import { isBuilding, isOver, type Preview } from "../jobs/job.ts"
import type { Again, Held } from "../jobs/job-store.ts"
import { previewStepped } from "../jobs/pull-transitions.ts"
import { previewTold } from "../messages/closing-reply.ts"
import { say } from "../messages/private-answers.ts"
import { takeSlots } from "../store/rate-limit.ts"
import { key } from "../store/redis-keys.ts"
import { afterRequest, afterStatus } from "./preview-step.ts"

const BATCH = 10
/** Limit of build requests per key, from the API reference: "5 a minute and organization". */
const LIMIT = { cap: 5, windowMs: 60_000 }

type Needed = "store" | "jobs" | "operations" | "timing" | "creationDeadlineMs" | "keyIdOf"
export interface PreviewDeps extends Pick<JobsDeps, Needed | "gitHubHost">, TellingDeps {
  docs: Pick<DocsApi, "buildPreview" | "previewStatus">
}

export function previewPass(deps: PreviewDeps): Promise<number> {
  const leaseMs = deps.timing.leaseMs + deps.creationDeadlineMs
  return deps.jobs.eachDue("previews", { limit: BATCH, leaseMs }, (held) => next(deps, held))
}

async function next(deps: PreviewDeps, held: Held): Promise<Again> {
  const { job, now } = held
  const { preview } = job
  if (preview?.state === "asked") {
    if (!isOver(job.pull?.state)) return request(deps, held, preview)
    await write(deps, held, undefined)
  }
  // A process died between the request and its answer, so the bot does not send it again.
  if (preview?.state === "sending") await write(deps, held, { ...preview, state: "unknown" })
  if (preview?.state === "building") {
    const status = deps.docs.previewStatus(job.project, preview.statusId ?? "")
    const step = afterStatus(preview, await status.catch(orDocsError), now, deps.timing.previews)
    if (step.againMs !== undefined) return step.againMs
    await write(deps, held, step.preview)
  }
  return "done"
}

async function request(deps: PreviewDeps, held: Held, asked: Preview): Promise<Again> {
  const { store, docs, operations, timing, keyIdOf } = deps
  const { job, now } = held
  const minute = { log: key("previews", keyIdOf(job.project)) }
  const waitMs = await takeSlots(store, minute, LIMIT, [`${job.id} ${now}`])
  if (waitMs > 0) return waitMs
  if (!(await write(deps, held, { ...asked, state: "sending" }))) return "done"
  const answer = await docs.buildPreview(job.project, job.branch ?? "").catch(orDocsError)
  const step = afterRequest(asked, answer, now, timing.previews)
  if (step === "absent") {
    await operations.learnedAbsent(job.project, "preview")
    if (await write(deps, held, undefined))
      await tellPrivately(deps, job, { user: asked.by }, say("no_previews"))
    return "done"
  }
  await write(deps, held, step.preview)
  return step.againMs ?? "done"
}

/**
 * Stores or removes the preview, unless the lease was lost or the job has another one by now. The
 * closing reply shows it; where nobody sees one, tells the person who asked how it ended.
 */
async function write(deps: PreviewDeps, held: Held, then: Preview | undefined) {
  const { id, preview } = held.job
  const changed = await deps.jobs.change<never>(
    id,
    ({ job: is }) => (is.preview?.at === preview?.at ? previewStepped(is, then) : undefined),
    held,
  )
  if (then && !isBuilding(then) && changed?.job.result && !changed.job.result.ts) {
    const { job } = changed
    await tellPrivately(deps, job, { user: then.by }, previewTold(job, deps.gitHubHost))
  }
  return changed
}
