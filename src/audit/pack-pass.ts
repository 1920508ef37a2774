import type { QueueStore } from "../jobs/queue-ports.ts"
import type { AuditStore } from "./entry.ts"

interface PackDeps {
  audit: Pick<AuditStore, "pack">
  queue: Pick<QueueStore, "once">
  /** Between two looks, ms. */
  everyMs: number
  signal: AbortSignal
}

/**
 * One pass: puts entries of the audit together that have come to rest, in a fraction of the memory. One
 * process does it at a time. @returns how long to rest, ms
 */
export async function packPass({ audit, queue, everyMs, signal }: PackDeps): Promise<number> {
  if (!(await queue.once("audit-pack", everyMs / 2))) return everyMs
  let more = true
  while (more && !signal.aborted) more = await audit.pack()
  return everyMs
}
