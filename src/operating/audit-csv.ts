import { type AuditEntry, auditEntries } from "../jobs/audit-log.ts"
import type { Context } from "../jobs/context.ts"
import { csvFile } from "../lib/csv-file.ts"
import { auditSent } from "../messages/private-answers.ts"
import { currentTime } from "../store/script.ts"

const COLUMNS =
  "request_id,requested_at,user,channel,project,request,agent_job,outcome,ended_at,pull_request,pull_request_end,pull_request_ended_at"

/** Sends the audit log as a CSV file in a direct message. @throws SlackError */
export async function sendAudit(
  { store, settings, events, slack }: Context,
  user: string,
): Promise<void> {
  const rows: string[][] = []
  for await (const entry of auditEntries(store, settings.auditDays, events.unreadable))
    rows.push(rowOf({ ...entry, project: settings.projects.nameOf(entry.project) }))
  const { channel } = await slack.outbound.direct(user, auditSent(rows.length))
  const name = `docs-agent-audit_${time(await currentTime(store)).slice(0, 10)}.csv`
  await slack.outbound.upload({ channel }, name, csvFile(COLUMNS.split(","), rows))
}

function rowOf({ job, at, user, channel, project, words, ...came }: AuditEntry): string[] {
  const { agentJob = "", ending = "", endedAt, prLink = "", pullEnd = "", pullEndedAt } = came
  const over = pullEndedAt === undefined ? "" : time(pullEndedAt)
  const ended = endedAt === undefined ? "" : time(endedAt)
  return [
    job,
    time(at),
    user,
    channel,
    project,
    words,
    agentJob,
    ending,
    ended,
    prLink,
    pullEnd,
    over,
  ]
}

function time(at: number): string {
  return new Date(at).toISOString()
}
