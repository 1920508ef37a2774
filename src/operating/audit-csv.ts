import { forAdmins } from "../asking/access-rules.ts"
import { type AuditEntry, auditEntries } from "../jobs/audit-log.ts"
import type { Context } from "../jobs/context.ts"
import { csvFile } from "../lib/csv-file.ts"
import { dayOf } from "../lib/time.ts"
import { auditSent, say } from "../messages/private-answers.ts"
import { currentTime } from "../store/script.ts"

/** Columns of the file, in their order, each with its value. */
const COLUMNS: Readonly<Record<string, (entry: AuditEntry) => string | undefined>> = {
  request_id: ({ job }) => job,
  requested_at: ({ at }) => time(at),
  user: ({ user }) => user,
  channel: ({ channel }) => channel,
  project: ({ project }) => project,
  request: ({ words }) => words,
  agent_job: ({ agentJob }) => agentJob,
  outcome: ({ ending }) => ending,
  ended_at: ({ endedAt }) => time(endedAt),
  pull_request: ({ prLink }) => prLink,
  pull_request_end: ({ pullEnd }) => pullEnd,
  pull_request_ended_at: ({ pullEndedAt }) => time(pullEndedAt),
}

export const prepareAudit = forAdmins("do that", async (context, { user }) =>
  context.settings.auditDays === 0
    ? { ack: say("audit_off") }
    : { ack: say("audit_preparing"), work: () => sendAudit(context, user) },
)

/** Sends the audit log as a CSV file in a direct message. @throws SlackError */
async function sendAudit({ store, settings, events, slack }: Context, user: string): Promise<void> {
  const rows: string[][] = []
  for await (const entry of auditEntries(store, settings.auditDays, events.unreadable)) {
    const named = { ...entry, project: settings.projects.nameOf(entry.project) }
    rows.push(Object.values(COLUMNS).map((valueIn) => valueIn(named) ?? ""))
  }
  const { channel } = await slack.outbound.direct(user, auditSent(rows.length))
  const name = `docs-agent-audit_${dayOf(await currentTime(store))}.csv`
  await slack.outbound.upload({ channel }, name, csvFile(Object.keys(COLUMNS), rows))
}

function time(at: number | undefined): string | undefined {
  return at === undefined ? undefined : new Date(at).toISOString()
}
