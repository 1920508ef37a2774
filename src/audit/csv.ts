import { csvCell } from "../text/csv-cell.ts"
import type { AuditEntry } from "./entry.ts"

/** The byte order mark makes spreadsheets read names and prompts as UTF-8. */
export const AUDIT_HEAD =
  "\ufeffjob,asked_at,user,channel,project,prompt,agent_job,ending,ended_at,pull_request\r\n"

/** One entry as a line of CSV, line end included. Times are UTC, as ISO 8601. */
export function auditLine(entry: AuditEntry): string {
  const cells = [
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
  ]
  return `${cells.map(csvCell).join(",")}\r\n`
}

function time(at: number): string {
  return new Date(at).toISOString()
}
