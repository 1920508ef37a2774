import { isEnded } from "../jobs/job.ts"
import type { Outbox, Utterance } from "../jobs/ports.ts"
import { type AuditStore, entryOf } from "./entry.ts"

/**
 * An outbox that keeps the audit. Every job comes through it, when it is asked and when it ends, and
 * comes again if a process dies before `said`: so no entry is lost, and none needs a place of its own
 * in the scripts that the jobs live by.
 */
export function auditedOutbox(outbox: Outbox, audit: AuditStore): Outbox {
  return {
    ...outbox,
    async said(utterance, result) {
      if (isNews(utterance)) await audit.record(entryOf(utterance.job, utterance.prompt))
      await outbox.said(utterance, result)
    },
  }
}

/** The first time it is spoken of, and whenever it has ended; all in between changes nothing. */
function isNews({ job }: Utterance): boolean {
  return job.shown.rev === 0 || isEnded(job)
}
