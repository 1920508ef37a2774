import { csvHead, csvRow } from "../text/csv-file.ts"
import type { AuditEntry } from "./entry.ts"

export const AUDIT_HEAD = csvHead(
  "job,asked_at,user,channel,project,prompt,agent_job,ending,ended_at,pull_request",
)

/** One entry as a line of CSV, line end included. Times are UTC, as ISO 8601. */
export function auditLine(entry: AuditEntry): string {
  return csvRow([
    entry.job,
    time(entry.at),
    entry.user,
    entry.channel,
    entry.project,
    entry.words,
    entry.agentJob ?? "",
    entry.ending ?? "",
    entry.endedAt === undefined ? "" : time(entry.endedAt),
    entry.prLink ?? "",
  ])
}

function time(at: number): string {
  return new Date(at).toISOString()
}
