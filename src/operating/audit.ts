import { z } from "zod"
import type { Accepted } from "../asking/new-job.ts"
import type { Changed } from "../jobs/change.ts"
import type { JobsDeps } from "../jobs/deps.ts"
import { endedRound } from "../jobs/rounds.ts"
import { csvFile } from "../lib/csv-file.ts"
import { defined } from "../lib/defined.ts"
import { truncate } from "../lib/truncate.ts"
import { auditSent } from "../messages/private-answers.ts"
import type { Op } from "../store/commit.ts"
import { parseRecord } from "../store/record-fields.ts"
import type { OnBroken } from "../store/records.ts"
import { key } from "../store/redis-keys.ts"
import type { RedisClient } from "../store/script.ts"

const AUDIT = key("audit")
const DAY_MS = 86_400_000
const CHUNK = 500
/** Maximum length of the quoted beginning of a request, in code points: see `PRIVACY.md`. */
const WORDS = 500

const COLUMNS =
  "request_id,requested_at,user,channel,project,request,agent_job,outcome,ended_at,pull_request"

/** Accepts times in ms up to the latest that a JavaScript date can hold. */
const moment = z.coerce.number().min(0).max(8.64e15)

const asked = z.object({
  job: z.string(),
  /** Id of the request, which has a further entry if it moved to another job. */
  ask: z.string(),
  at: moment,
  user: z.string(),
  channel: z.string(),
  project: z.string(),
  words: z.string(),
})
const ended = z.object({
  /** Ids of the requests that ended so, separated by spaces. */
  asks: z.string(),
  ending: z.string(),
  endedAt: moment.exactOptional(),
  agentJob: z.string().exactOptional(),
  prLink: z.string().exactOptional(),
})
const note = z.union([asked, ended])

/** Entry of the audit log, which outlives the job: who asked what, where, when, and its ending. */
export type AuditEntry = z.output<typeof asked> & Partial<Omit<z.output<typeof ended>, "asks">>

export function askedNote(days: number, job: string, { ask, request }: Accepted): Op[] {
  const { user, channel, project, prompt } = request
  const words = truncate(prompt.words, WORDS)
  return noted(days, { job, ask: ask.id, at: String(ask.at), user, channel, project, words })
}

function noted(days: number, fields: Record<string, string>): Op[] {
  return days === 0 ? [] : [{ do: "note", key: AUDIT, keepMs: days * DAY_MS, fields }]
}

/** Notes how the requests of a round ended, and those that were withdrawn before they were sent. */
export function endedNotes(days: number, { before, job, change, now }: Changed): Op[] {
  const { forget = [], withdrawn } = change
  const { agentJobId: agentJob, prLink } = job
  const ops: Op[] = []
  if (withdrawn && forget.length > 0)
    ops.push(...noted(days, { asks: forget.join(" "), ending: withdrawn, endedAt: String(now) }))
  const round = endedRound(before, job)
  if (round) {
    const asks = round.asks.map(({ id }) => id)
    const came = { ending: round.ending, endedAt: String(now), ...defined({ agentJob, prLink }) }
    ops.push(...noted(days, { asks: asks.join(" "), ...came }))
  }
  return ops
}

/** Deletes entries older than `AUDIT_DAYS`; otherwise only a new entry would. */
export async function trimAudit(deps: Pick<JobsDeps, "store" | "auditDays" | "now">) {
  const from = (await deps.now()) - deps.auditDays * DAY_MS
  await deps.store.redis.xtrim(AUDIT, "MINID", from)
}

export async function* auditEntries(
  deps: Pick<JobsDeps, "store" | "auditDays" | "onBroken" | "now">,
): AsyncGenerator<AuditEntry> {
  // Entries come newest first, so a request's last ending is read before the request, and of one
  // that moved the entry of the job that it is in now.
  const endings = new Map<string, Omit<z.output<typeof ended>, "asks">>()
  const read = new Set<string>()
  const from = (await deps.now()) - deps.auditDays * DAY_MS
  for await (const chunk of notes(deps.store.redis, deps.onBroken)) {
    for (const { value } of chunk) {
      if ("ending" in value) {
        const { asks, ...came } = value
        for (const ask of asks.split(" ")) if (!endings.has(ask)) endings.set(ask, came)
      } else if (value.at >= from && !read.has(value.ask)) {
        read.add(value.ask)
        yield { ...value, ...endings.get(value.ask) }
      }
    }
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

/** Sends the audit log as a CSV file in a direct message. @throws SlackError */
export async function sendAudit(deps: JobsDeps, user: string): Promise<void> {
  const rows: string[][] = []
  for await (const entry of auditEntries(deps))
    rows.push(rowOf({ ...entry, project: deps.nameOf(entry.project) }))
  const { channel } = await deps.outbound.direct(user, auditSent(rows.length))
  const name = `docs-agent-audit_${time(await deps.now()).slice(0, 10)}.csv`
  await deps.outbound.upload({ channel }, name, csvFile(COLUMNS.split(","), rows))
}

function rowOf({ job, at, user, channel, project, words, ...came }: AuditEntry): string[] {
  const { agentJob = "", ending = "", endedAt, prLink = "" } = came
  const ended = endedAt === undefined ? "" : time(endedAt)
  return [job, time(at), user, channel, project, words, agentJob, ending, ended, prLink]
}

function time(at: number): string {
  return new Date(at).toISOString()
}
