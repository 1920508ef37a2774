import { isOver } from "../jobs/job.ts"
import type { Click } from "../slack/payload-interactions.ts"
import { line } from "../views/blocks.ts"
import { isBuilding, nothingToPreview, previewAbsent, readPreviewValue } from "../views/preview.ts"
import { admit } from "./admit.ts"
import type { Reply } from "./answer.ts"
import type { AgentDeps } from "./deps.ts"

/** A click on "Build preview": whoever may ask here may see the change. The reply shows what comes of it. */
export async function buildPreview(deps: AgentDeps, click: Click): Promise<Reply> {
  const entry = await admit(deps, click)
  if ("refusal" in entry) return { ack: entry.refusal }
  const { id, after } = readPreviewValue(click.value)
  const job = await deps.jobs.get(id)
  if (!job) return { ack: line("*That job is no longer kept.*") }
  if (isOver(job.pullState)) return { ack: nothingToPreview(job.pullState) }
  if ((await deps.operations.presence(job.project, "preview")) === "absent")
    return { ack: previewAbsent() }
  if (await deps.askPreview(job.id, click.user, after)) return {}
  const latest = await deps.jobs.get(id)
  return {
    ack: line(
      latest && isBuilding(latest)
        ? "The preview is already being built."
        : "*That preview was already built.* The reply shows the result.",
    ),
  }
}
