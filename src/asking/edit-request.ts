import { currentAsks, waitingAsks } from "../jobs/asks.ts"
import type { JobsDeps } from "../jobs/deps.ts"
import { jobKeys } from "../jobs/job-keys.ts"
import { askId, type NewRequest } from "./new-job.ts"
import { jobHolding, noteSame } from "./same-request.ts"

/**
 * Outcome of an edit. `unknown`: the message was no request; `withdrawn`: its request was never
 * sent and won't be; `too_late`: the agent has been sent the earlier words.
 */
export type EditOutcome = "changed" | "same" | "too_late" | "withdrawn" | "unknown"

/** Changes the words of a request that has not been sent yet, because its message was edited. */
export async function editRequest(
  deps: Pick<JobsDeps, "store" | "jobs">,
  request: NewRequest,
): Promise<EditOutcome> {
  const first = await deps.store.redis.get(jobKeys.seen(request.delivery))
  if (first === null) return "unknown"
  const ask = askId(request.delivery)
  const id = await jobHolding(deps, first, ask)
  if (id === undefined) return "withdrawn"
  const { words, threadRange: _, ...read } = request.prompt
  const changed = await deps.jobs.change<EditOutcome>(id, ({ job, prompts }) => {
    const before = prompts[ask]
    if (before?.words === words) return "same"
    const open =
      job.state === "queued" ? [...currentAsks(job), ...waitingAsks(job)] : waitingAsks(job)
    if (!before || !open.some((one) => one.id === ask)) return "too_late"
    // Names, files and outsiders are looked up again before the request starts.
    const asks = job.asks.map((one) => {
      const { isPrepared: __, ...unprepared } = one
      return one.id === ask ? unprepared : one
    })
    const { threadRange } = before
    const prompt = { words, ...read, ...(threadRange ? { threadRange } : {}) }
    return {
      set: { asks, isAwaited: true },
      prompts: { [ask]: prompt },
      ops: [noteSame(request, id, ask)],
      due: { outbox: 0 },
    }
  })
  return typeof changed === "object" ? "changed" : (changed ?? "withdrawn")
}
