import { createReadStream } from "node:fs"
import { mkdtemp, open, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { auditSent } from "../messages/private.ts"
import { csvHead, csvRow } from "../text/csv-file.ts"
import { type AuditEntry, auditEntries } from "./audit.ts"
import type { JobsDeps } from "./deps.ts"

const HEAD = csvHead(
  "job,asked_at,user,channel,project,prompt,agent_job,ending,ended_at,pull_request",
)

/**
 * Sends the audit as a CSV file in a direct message. Slack needs the file's length before the first
 * byte, so the bot writes a private temporary file first.
 * @throws SlackError if Slack refuses the file
 */
export async function sendAudit(deps: JobsDeps, user: string): Promise<void> {
  const { outbound } = deps
  const folder = await mkdtemp(join(tmpdir(), "docs-agent-audit-"))
  try {
    const path = join(folder, "audit.csv")
    const { entries, bytes } = await write(deps, path)
    const { channel } = await outbound.direct(user, auditSent(entries))
    const name = `docs-agent-audit_${new Date(await deps.now()).toISOString().slice(0, 10)}.csv`
    await outbound.upload({ channel }, { name, bytes, content: createReadStream(path) })
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function write(deps: JobsDeps, path: string): Promise<{ entries: number; bytes: number }> {
  await using file = await open(path, "wx", 0o600)
  await file.write(HEAD)
  let entries = 0
  for await (const chunk of auditEntries(deps)) {
    entries += chunk.length
    await file.write(
      chunk.map((one) => line({ ...one, project: deps.nameOf(one.project) })).join(""),
    )
  }
  return { entries, bytes: (await file.stat()).size }
}

function line({ job, at, user, channel, project, words, ...came }: AuditEntry): string {
  const { agentJob = "", ending = "", endedAt, prLink = "" } = came
  const ended = endedAt === undefined ? "" : time(endedAt)
  return csvRow([job, time(at), user, channel, project, words, agentJob, ending, ended, prLink])
}

function time(at: number): string {
  return new Date(at).toISOString()
}
