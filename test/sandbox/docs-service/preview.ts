import { z } from "zod"
import type { LocalJob } from "./agent-job.ts"
import { changeFor } from "./pull-request/change.ts"

export const previewPlanSchema = z.strictObject({
  ending: z.enum(["success", "failure", "never"]),
  /** Time in ms in the queue before the build begins. */
  queuedMs: z.number().int().min(0),
  afterMs: z.number().int().min(0),
  /** Summary returned once the deployment ends; the service's own by default. */
  summary: z.string().optional(),
})
export type PreviewPlan = z.infer<typeof previewPlanSchema>

export type UpdateStatus = "queued" | "in_progress" | "success" | "failure"

/** Requested deployment of a branch. Times are epoch ms. */
export interface LocalPreview {
  readonly statusId: string
  readonly projectId: string
  readonly branch: string
  readonly previewUrl: string
  readonly requestedAt: number
  readonly plan: PreviewPlan
}

export function statusAt({ requestedAt, plan }: LocalPreview, now: number): UpdateStatus {
  const age = now - requestedAt
  if (age < Math.min(plan.queuedMs, plan.afterMs)) return "queued"
  if (plan.ending === "never" || age < plan.afterMs) return "in_progress"
  return plan.ending
}

/** Returns the body of a status response. */
export function updateStatusBody(preview: LocalPreview, job: LocalJob | undefined, now: number) {
  const { statusId, projectId, branch, requestedAt, plan } = preview
  const status = statusAt(preview, now)
  const isOver = status === "success" || status === "failure"
  return {
    _id: statusId,
    projectId,
    createdAt: new Date(requestedAt).toISOString(),
    ...(isOver ? { endedAt: new Date(requestedAt + plan.afterMs).toISOString() } : {}),
    status,
    summary: isOver ? (plan.summary ?? SUMMARIES[status]) : SUMMARIES[status],
    commit: { ref: branch, filesChanged: filesOf(job) },
  }
}

const SUMMARIES: Record<UpdateStatus, string> = {
  queued: "Waiting for a build machine",
  in_progress: "Building the preview",
  success: "Preview deployed",
  failure: "The build failed: docs.json is not valid JSON",
}

function filesOf(job: LocalJob | undefined) {
  const prompts = job ? [job.prompt, ...job.messages.map(({ prompt }) => prompt)] : undefined
  const files = prompts ? changeFor(prompts).files : []
  return { added: [], modified: files.map(({ path }) => path), removed: [] }
}
