import { z } from "zod"
import { defined } from "../lib/json.ts"
import { DAY_MS } from "../lib/time.ts"
import { truncate } from "../lib/truncate.ts"
import type { Op } from "../store/commit.ts"
import { parseRecord } from "../store/record-fields.ts"
import type { OnBroken } from "../store/records.ts"
import { key } from "../store/redis-keys.ts"
import { currentTime, type RedisClient, type Store } from "../store/script.ts"
import type { Changed } from "./change.ts"
import { isOver, type Job, touchedAt } from "./job.ts"
import type { Accepted } from "./request-record.ts"
import { endedRound, sentAsks } from "./rounds.ts"

const AUDIT = key("audit")

const CHUNK = 500

/** Maximum length of the quoted beginning of a request, in code points: see `PRIVACY.md`. */
const WORDS = 500

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
  endedAt: moment.optional(),
  agentJob: z.string().optional(),
  prLink: z.string().optional(),
})

/** End of the pull request of these requests; `open` if a closed one was opened again. */
const pullEnded = z.object({
  asks: z.string(),
  pullEnd: z.enum(["merged", "closed", "open"]),
  pullEndedAt: moment,
})

const note = z.union([asked, ended, pullEnded])

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
  return [...ops, ...pullNotes(days, before, job)]
}

function pullNotes(days: number, before: Job, job: Job): Op[] {
  const { state } = job.pull ?? {}
  if (before.pull?.state === state || (!isOver(state) && !isOver(before.pull?.state))) return []
  const asks = sentAsks(job).map(({ id }) => id)
  const pullEnd = isOver(state) ? state : "open"
  return noted(days, { asks: asks.join(" "), pullEnd, pullEndedAt: String(touchedAt(job.pull)) })
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

/** Deletes a person's requests. What remains are endings, which name nobody and make no row. */
export async function forgetInAudit(redis: RedisClient, user: string): Promise<void> {
  for await (const chunk of notes(redis, () => {})) {
    const theirs = chunk.filter(({ value }) => "user" in value && value.user === user)
    if (theirs.length > 0) await redis.xdel(AUDIT, ...theirs.map(({ id }) => id))
  }
}

/** Entry of the audit log, which outlives the job: who asked what, where, when, and its ending. */
export type AuditEntry = z.output<typeof asked> &
  Partial<Omit<z.output<typeof ended>, "asks">> &
  PullEnd

type PullEnd = { pullEnd?: "merged" | "closed"; pullEndedAt?: number }

/** Deletes entries older than `AUDIT_DAYS`; otherwise only a new entry would. */
export async function trimAudit(store: Store, days: number): Promise<void> {
  const from = (await currentTime(store)) - days * DAY_MS
  await store.redis.xtrim(AUDIT, "MINID", from)
}

export async function* auditEntries(
  store: Store,
  days: number,
  onBroken: OnBroken,
): AsyncGenerator<AuditEntry> {
  // Entries come newest first: a request's last ending before the request itself, and the entry of
  // the job to which a request moved before that of the job which it left.
  const endings = new Map<string, Omit<z.output<typeof ended>, "asks">>()
  const pullEnds = new Map<string, PullEnd>()
  const read = new Set<string>()
  const from = (await currentTime(store)) - days * DAY_MS
  for await (const chunk of notes(store.redis, onBroken)) {
    for (const { value } of chunk) {
      if ("ending" in value) {
        const { asks, ...came } = value
        noteNewest(endings, asks, came)
      } else if ("pullEnd" in value) {
        const { asks, pullEnd, pullEndedAt } = value
        noteNewest(pullEnds, asks, pullEnd === "open" ? {} : { pullEnd, pullEndedAt })
      } else if (value.at >= from && !read.has(value.ask)) {
        read.add(value.ask)
        yield { ...value, ...endings.get(value.ask), ...pullEnds.get(value.ask) }
      }
    }
  }
}

/** Notes an end of these requests, except for those of which a later one is known. */
function noteNewest<End>(ends: Map<string, End>, asks: string, end: End): void {
  for (const ask of asks.split(" ")) if (!ends.has(ask)) ends.set(ask, end)
}
