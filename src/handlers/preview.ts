import type { Click } from "../slack/payload-interactions.ts"
import { line } from "../views/blocks.ts"
import { previewAbsent } from "../views/preview.ts"
import { admit } from "./admit.ts"
import type { Reply } from "./answer.ts"
import type { AgentDeps } from "./deps.ts"

/** A click on "Build preview": whoever may ask here may see the change. The reply shows what comes of it. */
export async function buildPreview(deps: AgentDeps, click: Click): Promise<Reply> {
  const entry = await admit(deps, click)
  if ("refusal" in entry) return { ack: entry.refusal }
  const job = await deps.jobs.get(click.value)
  if (!job) return { ack: line("*That job is no longer kept.*") }
  if ((await deps.operations.presence(job.project, "preview")) === "absent")
    return { ack: previewAbsent() }
  const asked = await deps.askPreview(job.id, click.user)
  return asked ? {} : { ack: line("The preview is already being built.") }
}
