import { DocsError, orDocsError } from "../errors/docs-error.ts"
import { orSlackError } from "../errors/slack-error.ts"
import { isOver, type Job, type Preview, threadOf } from "../jobs/job.ts"
import type { JobStore } from "../jobs/ports.ts"
import type { OptionalOperations } from "../jobs/service-ports.ts"
import type { DocsApi } from "../ports/docs-api.ts"
import type { Message } from "../ports/message.ts"
import type { Outbound } from "../ports/outbound.ts"
import { UNTIL_WOKEN } from "../runtime/alarm.ts"
import type { PreviewStore } from "./ports.ts"
import { afterRequest, afterStatus } from "./step.ts"

const BATCH = 10

interface PreviewDeps {
  previews: PreviewStore
  jobs: Pick<JobStore, "get">
  docs: Pick<DocsApi, "buildPreview" | "previewStatus">
  operations: OptionalOperations
  outbound: Pick<Outbound, "postEphemeral">
  intervals: { soonestMs: number; longestMs: number }
  /** To who clicked, where the deployment turns out to have no previews. */
  absent: () => Message
}

/** One pass: the next step of every preview that is due. Returns how long to rest, ms. */
export async function previewPass(deps: PreviewDeps): Promise<number> {
  const { now, lease, ids } = await deps.previews.claim(BATCH)
  await Promise.all(
    ids.map(async (id) => {
      const job = await deps.jobs.get(id)
      if (!job?.preview) await deps.previews.record(lease, id, "absent", { isNews: false })
      else await next(deps, lease, job, job.preview, now)
    }),
  )
  return ids.length === BATCH ? 0 : UNTIL_WOKEN
}

async function next(
  deps: PreviewDeps,
  lease: string,
  job: Job,
  preview: Preview,
  now: number,
): Promise<void> {
  const { previews, docs, intervals } = deps
  if (preview.state === "asked" && isOver(job.pullState)) {
    // Merged or closed while it waited: of what is over nothing is built.
    await previews.record(lease, job.id, "over", { isNews: true })
    return
  }
  if (preview.state === "asked") return request(deps, lease, job, preview, now)
  if (preview.state === "building" && preview.statusId !== undefined) {
    const answer = await docs.previewStatus(job.project, preview.statusId).catch(orDocsError)
    const { preview: then, after } = afterStatus(preview, answer, { now, ...intervals })
    await previews.record(lease, job.id, then, after)
    return
  }
  // A process died between the request and its answer: it is not sent a second time.
  const unknown = preview.state === "sending" ? { ...preview, state: "unknown" as const } : preview
  await previews.record(lease, job.id, unknown, { isNews: preview.state === "sending" })
}

async function request(
  { previews, docs, operations, outbound, intervals, absent }: PreviewDeps,
  lease: string,
  job: Job,
  preview: Preview,
  now: number,
): Promise<void> {
  const { isInLine = false, ...asked } = preview
  const waitMs = await previews.takeSlot(job.project, preview.by)
  if (waitMs > 0) {
    const inLine = { ...asked, isInLine: true }
    await previews.record(lease, job.id, inLine, { waitMs, isNews: !isInLine })
    return
  }
  const sending = { ...asked, state: "sending" } as const
  if (!(await previews.record(lease, job.id, sending, { waitMs: "held", isNews: isInLine }))) return
  const answer = await docs.buildPreview(job.project, job.branch ?? "").catch(orDocsError)
  const step = afterRequest(asked, answer, { now, ...intervals })
  if (step !== "absent") {
    await previews.record(lease, job.id, step.preview, step.after)
    if (!(answer instanceof DocsError)) await operations.learned(job.project, "preview", "present")
    return
  }
  await operations.learned(job.project, "preview", "absent")
  await previews.record(lease, job.id, "absent", { isNews: true })
  const to = { channel: job.channel, thread: threadOf(job), user: preview.by }
  await outbound.postEphemeral(to, absent()).catch(orSlackError)
}
