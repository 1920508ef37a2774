import { isEnded } from "../jobs/job.ts"
import type { Outbox, OutboxEntry } from "../jobs/ports.ts"
import { type AuditStore, entryOf } from "./entry.ts"

/**
 * An outbox that keeps the audit. Every job comes through it, when it is asked and when it ends, and
 * comes again if a process dies before `settle`: so no entry is lost, and none needs a place of its own
 * in the scripts that the jobs live by.
 */
export function auditedOutbox(outbox: Outbox, audit: AuditStore): Outbox {
  return {
    ...outbox,
    async settle(entry, result) {
      if (isNews(entry)) await audit.record(entryOf(entry.job, entry.prompt))
      await outbox.settle(entry, result)
    },
  }
}

/** Its first delivery, and every one after it has ended; all in between changes nothing. */
function isNews({ job }: OutboxEntry): boolean {
  return job.shown.rev === 0 || isEnded(job)
}
