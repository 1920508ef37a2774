import { createReadStream } from "node:fs"
import { mkdtemp, open, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { z } from "zod"
import { auditSent } from "../messages/private.ts"
import { defined } from "../runtime/defined.ts"
import type { Op } from "../store/commit.ts"
import { key } from "../store/keys.ts"
import { parseRecord } from "../store/record.ts"
import type { OnBroken } from "../store/records.ts"
import type { RedisClient } from "../store/script.ts"
import { csvHead, csvRow } from "../text/csv-file.ts"
import { truncate } from "../text/truncate.ts"
import type { JobsDeps } from "./deps.ts"
import { isEnded } from "./job.ts"
import type { Changed } from "./job-store.ts"
import type { Accepted } from "./new-job.ts"

const AUDIT = key("audit")
const DAY_MS = 86_400_000
const CHUNK = 500
/** Maximum length of the quoted beginning of a request, in code points: see `PRIVACY.md`. */
const WORDS = 500

const HEAD = csvHead(
  "request_id,requested_at,user,channel,project,request,agent_job,outcome,ended_at,pull_request",
)

/** Accepts times in ms up to the latest that a JavaScript date can hold. */
const moment = z.coerce.number().min(0).max(8.64e15)

const asked = z.object({
  job: z.string(),
  /** Id of the request, which stays the same if it moves to another job. */
  ask: z.string().exactOptional(),
  at: moment,
  user: z.string(),
  channel: z.string(),
  project: z.string(),
  words: z.string(),
})
const ended = z.object({
  job: z.string(),
  ending: z.string(),
  endedAt: moment.exactOptional(),
  agentJob: z.string().exactOptional(),
  prLink: z.string().exactOptional(),
})
const note = z.union([asked, ended])

/** Entry of the audit log, which outlives the job: who asked what, where, when, and its ending. */
export type AuditEntry = z.output<typeof asked> & Partial<Omit<z.output<typeof ended>, "job">>

export function askedNote(days: number, job: string, { ask, request }: Accepted): Op[] {
  const { user, channel, project, prompt } = request
  const words = truncate(prompt.words, WORDS)
  const fields = { job, ask: ask.id, at: String(ask.at), user, channel, project, words }
  return days === 0 ? [] : [{ do: "note", key: AUDIT, keepMs: days * DAY_MS, fields }]
}

export function endedNote(days: number, { before, job }: Pick<Changed, "before" | "job">): Op[] {
  if (days === 0 || !isEnded(job) || before.state === "ended") return []
  const { id, ending, endedAt, agentJobId: agentJob, prLink } = job
  const came = defined({ endedAt: endedAt?.toString(), agentJob, prLink })
  const fields = { job: id, ending, ...came }
  return [{ do: "note", key: AUDIT, keepMs: days * DAY_MS, fields }]
}

/** Deletes entries older than `AUDIT_DAYS`; otherwise only a new entry would. */
export async function trimAudit(deps: Pick<JobsDeps, "store" | "auditDays" | "now">) {
  const from = (await deps.now()) - deps.auditDays * DAY_MS
  await deps.store.redis.xtrim(AUDIT, "MINID", from)
}

export async function* auditEntries(
  deps: Pick<JobsDeps, "store" | "auditDays" | "onBroken" | "now">,
): AsyncGenerator<AuditEntry[]> {
  // Entries come newest first, so a job's ending is read before its requests.
  const endings = new Map<string, z.output<typeof ended>>()
  // The newest entry of a request names the job in which it ended.
  const known = new Set<string>()
  const from = (await deps.now()) - deps.auditDays * DAY_MS
  for await (const chunk of notes(deps.store.redis, deps.onBroken)) {
    const entries: AuditEntry[] = []
    for (const { value } of chunk) {
      if ("ending" in value) {
        // Only the ending of the last round counts.
        if (!endings.has(value.job)) endings.set(value.job, value)
      } else if (value.at >= from && !known.has(value.ask ?? "")) {
        entries.push({ ...value, ...endings.get(value.job) })
        if (value.ask !== undefined) known.add(value.ask)
      }
    }
    yield entries
  }
}

/** Deletes a person's requests. What remains are endings, which name nobody and make no row. */
export async function forgetInAudit(redis: RedisClient, user: string): Promise<void> {
  for await (const chunk of notes(redis, () => {})) {
    const theirs = chunk.filter(({ value }) => "user" in value && value.user === user)
    if (theirs.length > 0) await redis.xdel(AUDIT, ...theirs.map(({ id }) => id))
  }
}

async function* notes(redis: RedisClient, onBroken: OnBroken) {
  for (let to = "+"; ; ) {
    const chunk = await redis.xrevrange(AUDIT, to, "-", "COUNT", CHUNK)
    yield chunk.flatMap(([id, fields]) => {
      const named = fields.flatMap((name, i) => (i % 2 === 0 ? [[name, fields[i + 1]]] : []))
      try {
        return [{ id, value: parseRecord(note, `note ${id}`, Object.fromEntries(named)) }]
      } catch (error) {
        onBroken(`${AUDIT} ${id}`, error)
        return []
      }
    })
    const last = chunk.at(-1)
    if (!last || chunk.length < CHUNK) return
    to = `(${last[0]}`
  }
}

/**
 * Sends the audit log as a CSV file in a direct message. Slack needs the file's length before the
 * first byte, so the bot writes a private temporary file first.
 * @throws SlackError if Slack refuses the file
 */
export async function sendAudit(deps: JobsDeps, user: string): Promise<void> {
  const { outbound } = deps
  const folder = await mkdtemp(join(tmpdir(), "docs-agent-audit-"))
  try {
    const path = join(folder, "audit.csv")
    const { entries, bytes } = await writeCsv(deps, path)
    const { channel } = await outbound.direct(user, auditSent(entries))
    const name = `docs-agent-audit_${new Date(await deps.now()).toISOString().slice(0, 10)}.csv`
    await outbound.upload({ channel }, { name, bytes, content: createReadStream(path) })
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function writeCsv(deps: JobsDeps, path: string): Promise<{ entries: number; bytes: number }> {
  await using file = await open(path, "wx", 0o600)
  await file.write(HEAD)
  let entries = 0
  for await (const chunk of auditEntries(deps)) {
    entries += chunk.length
    const lines = chunk.map((one) => line({ ...one, project: deps.nameOf(one.project) }))
    await file.write(lines.join(""))
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
