import type { Entry, Gate } from "../access/gate.ts"
import type { Accepted, JobStore, NewJob } from "./ports.ts"

export type Submission =
  | Extract<Accepted, { outcome: "queued" | "full" }>
  /** Asked lately: the person may confirm the draft. */
  | { outcome: "duplicate"; id: string; draft: string }
  | { outcome: "refused"; entry: Extract<Entry, { allowed: false }> }

/** Accepts a request from any entry: who may, once per delivery, durable when it resolves. */
export async function submit(
  { gate, jobs }: { gate: Gate; jobs: JobStore },
  request: NewJob,
): Promise<Submission> {
  const entry = await gate({ user: request.user, channel: request.channel })
  if (!entry.allowed) return { outcome: "refused", entry }
  const accepted = await jobs.enqueue(request)
  if (accepted.outcome !== "duplicate") return accepted
  const { delivery: _, anyway: __, ...draft } = request
  return { ...accepted, draft: await jobs.saveDraft(draft) }
}
