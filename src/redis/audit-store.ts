import { z } from "zod"
import type { AuditEntry, AuditStore } from "../audit/entry.ts"
import { defined } from "../runtime/defined.ts"
import { ignoreBroken, type OnBroken, readable, typed } from "./broken.ts"
import { RecordError } from "./job-record.ts"
import { keys } from "./keys.ts"
import type { Now, RedisClient } from "./script.ts"
import { record } from "./scripts/audit.ts"

const DAY_MS = 86_400_000
/** Entries of one reading. */
const CHUNK = 500

/** The last moment that a date can be, ms. */
const moment = z.coerce.number().min(0).max(8.64e15)

const entryRecord = z.object({
  v: z.literal("1"),
  at: moment,
  user: z.string(),
  channel: z.string(),
  project: z.string(),
  agent: z.string().exactOptional(),
  ending: z.string().exactOptional(),
  ended: moment.exactOptional(),
  pr: z.string().exactOptional(),
})

/** @param options `days`: how long an entry is kept after it was asked */
export function createAuditStore(
  redis: RedisClient,
  options: { days: number; onBroken?: OnBroken; now?: Now },
): AuditStore {
  const keepMs = options.days * DAY_MS
  const on = { redis, now: options.now }
  const { onBroken = ignoreBroken } = options

  async function read(ids: readonly string[]): Promise<AuditEntry[]> {
    const entries = await Promise.all(
      ids.map(async (id) => {
        const own = { entry: keys.audit(id), words: keys.auditWords(id) }
        const [hash = {}, words] = await Promise.all([
          typed(own.entry, redis.hgetall(own.entry), onBroken),
          typed(own.words, redis.get(own.words), onBroken),
        ])
        // It may have expired since the list was read.
        return Object.keys(hash).length === 0
          ? undefined
          : readable(own.entry, () => toEntry(id, hash, words ?? ""), onBroken)
      }),
    )
    return entries.filter((entry) => entry !== undefined)
  }

  return {
    async record({ job, words, agentJob: agent, endedAt: ended, prLink: pr, ...rest }) {
      const own = { entry: keys.audit(job), asked: keys.auditWords(job) }
      const lists = { all: keys.audits, mine: keys.auditsOf(rest.user) }
      const fields = Object.entries(defined({ v: 1, ...rest, agent, ended, pr })).flat()
      const args = { id: job, at: rest.at, keepMs, words }
      await record(on, { ...own, ...lists }, args, fields)
    },

    async *entries() {
      // The list shrinks at its old end meanwhile, so its ids (some bytes each) are taken at once.
      const ids = await redis.zrange(keys.audits, "0", "-1")
      for (let from = 0; from < ids.length; from += CHUNK)
        yield await read(ids.slice(from, from + CHUNK))
    },
  }
}

/** @throws RecordError when it is broken, or was written by another version. */
function toEntry(job: string, hash: Record<string, string>, words: string): AuditEntry {
  const parsed = entryRecord.safeParse(hash)
  if (!parsed.success) throw new RecordError(`The audit's entry of job ${job} cannot be read.`)
  const { v: _, agent, ended, pr, ...rest } = parsed.data
  return { job, words, ...rest, ...defined({ agentJob: agent, endedAt: ended, prLink: pr }) }
}
