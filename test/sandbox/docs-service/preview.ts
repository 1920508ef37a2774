import { z } from "zod"
import type { LocalJob } from "./agent-job.ts"
import { changeFor } from "./pull-request/change.ts"

const paths = z.array(z.string())

export const previewPlanSchema = z.strictObject({
  ending: z.enum(["success", "failure", "never"]),
  /** Time in ms in the queue before the build begins. */
  queuedMs: z.number().int().min(0),
  afterMs: z.number().int().min(0),
  /** Summary returned once the deployment ends; the service's own by default. */
  summary: z.string().optional(),
  /** Files changed on the branch; the agent's changes by default. */
  filesChanged: z.strictObject({ added: paths, modified: paths, removed: paths }).optional(),
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

/** Returns the body of a status response, with every field that the service can return. */
export function updateStatusBody(preview: LocalPreview, job: LocalJob | undefined, now: number) {
  const { statusId, projectId, branch, requestedAt, plan } = preview
  const status = statusAt(preview, now)
  const isOver = status === "success" || status === "failure"
  const picture = `${preview.previewUrl}/screenshot.png`
  return {
    _id: statusId,
    projectId,
    createdAt: new Date(requestedAt).toISOString(),
    ...(isOver ? { endedAt: new Date(requestedAt + plan.afterMs).toISOString() } : {}),
    status,
    summary: isOver ? (plan.summary ?? SUMMARIES[status]) : SUMMARIES[status],
    logs: logsOf(status, branch),
    subdomain: projectId,
    ...(status === "success"
      ? { screenshot: picture, screenshotLight: picture, screenshotDark: picture }
      : {}),
    author: { name: "docs-agent", avatarUrl: `${preview.previewUrl}/avatar.png`, githubUserId: 1 },
    commit: {
      sha: "0123456789abcdef0123456789abcdef01234567",
      ref: branch,
      message: job?.prompt ?? branch,
      filesChanged: plan.filesChanged ?? filesOf(job),
    },
    source: "api",
  }
}

const SUMMARIES: Record<UpdateStatus, string> = {
  queued: "Waiting for a build machine",
  in_progress: "Building the preview",
  success: "Preview deployed",
  failure: "The build failed: docs.json is not valid JSON",
}

function logsOf(status: UpdateStatus, branch: string): string[] {
  const steps = [`Cloning ${branch}`, "Reading docs.json", "Building pages", "Uploading"]
  const done = { queued: 0, in_progress: 3, success: 4, failure: 2 }[status]
  return steps.slice(0, done)
}

function filesOf(job: LocalJob | undefined) {
  const prompts = job ? [job.prompt, ...job.messages.map(({ prompt }) => prompt)] : undefined
  const files = prompts ? changeFor(prompts).files : []
  return { added: [], modified: files.map(({ path }) => path), removed: [] }
}
