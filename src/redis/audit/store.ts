import { z } from "zod"
import type { AuditEntry, AuditStore } from "../../audit/entry.ts"
import { AUDIT, type PackTimes } from "../../config/timing.ts"
import { defined } from "../../runtime/defined.ts"
import { createAuditArchive, saidBy } from "../archive/audit.ts"
import { auditPacking } from "../archive/pack-audit.ts"
import { ignoreBroken, type OnBroken, readable, typed } from "../broken.ts"
import { redisTime } from "../clock.ts"
import { keys } from "../keys.ts"
import { RecordError } from "../record.ts"
import type { RedisClient } from "../script.ts"
import type { StoreOptions } from "../store-options.ts"
import { record } from "./store.lua.ts"

export const DAY_MS = 86_400_000
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

interface AuditOptions extends StoreOptions {
  /** How long an entry is kept after it was asked. */
  days: number
  /** When entries are packed. */
  packing?: PackTimes
}

export function createAuditStore(
  redis: RedisClient,
  { days, packing = AUDIT, onBroken = ignoreBroken, now }: AuditOptions,
): AuditStore {
  const keepMs = days * DAY_MS
  const archive = createAuditArchive(redis, { onBroken, now })
  const readAlone = async (ids: readonly string[]) =>
    (await Promise.all(ids.map((id) => readEntry(redis, id, onBroken)))).filter(
      (found) => found !== undefined,
    )

  /** Those of a pack that are not too old, and are not told of otherwise. */
  async function packed(id: string, isTold: (job: string) => boolean) {
    const oldest = (now ? now() : await redisTime(redis)) - keepMs
    return (await archive.read(id)).filter(({ job, at }) => at > oldest && !isTold(job))
  }

  return {
    async record(entry) {
      const { from, args, fields } = auditWriting(entry, keepMs)
      await record({ redis, now }, from, args, fields)
    },

    async *entries() {
      // The lists shrink at their old ends meanwhile, so the ids (some bytes each) are taken at once.
      const ids = await redis.zrange(keys.audits, "0", "-1")
      const alone = new Set(ids)
      const known = await archive.ids()
      // What stands alone and in a pack was followed again: the pack does not know how that ended.
      for (const id of known) yield await packed(id, (job) => alone.has(job))
      for (let from = 0; from < ids.length; from += CHUNK) {
        const found = await readAlone(ids.slice(from, from + CHUNK))
        for (const { entry } of found) alone.delete(entry.job)
        yield found.map(({ entry }) => entry)
      }
      if (alone.size === 0) return
      // Packed since.
      for (const id of await archive.ids())
        if (!known.includes(id)) yield await packed(id, (job) => !alone.has(job))
    },

    pack: auditPacking(redis, archive, { ...packing, keepMs, readAlone, now }),
  }
}

/** Undefined when it has expired or was packed since it was listed, or cannot be read. */
async function readEntry(redis: RedisClient, id: string, onBroken: OnBroken) {
  const own = { entry: keys.audit(id), words: keys.auditWords(id) }
  const [hash = {}, words] = await Promise.all([
    typed(own.entry, redis.hgetall(own.entry), onBroken),
    typed(own.words, redis.get(own.words), onBroken),
  ])
  if (Object.keys(hash).length === 0) return undefined
  const entry = readable(own.entry, () => toEntry(id, hash, words ?? ""), onBroken)
  return entry && { entry, said: saidBy(hash), again: hash.again !== undefined }
}

/** What a script that writes an entry is given. */
export function auditWriting(
  { job, words, agentJob: agent, endedAt: ended, prLink: pr, ...rest }: AuditEntry,
  keepMs: number,
) {
  return {
    from: {
      entry: keys.audit(job),
      asked: keys.auditWords(job),
      all: keys.audits,
      mine: keys.auditsOf(rest.user),
    },
    args: { id: job, at: rest.at, keepMs, words },
    fields: Object.entries(defined({ v: 1, ...rest, agent, ended, pr })).flat(),
  }
}

/** @throws RecordError when it is broken, or was written by another version. */
function toEntry(job: string, hash: Record<string, string>, words: string): AuditEntry {
  const parsed = entryRecord.safeParse(hash)
  if (!parsed.success) throw new RecordError(`The audit's entry of job ${job} cannot be read.`)
  const { v: _, agent, ended, pr, ...rest } = parsed.data
  return { job, words, ...rest, ...defined({ agentJob: agent, endedAt: ended, prLink: pr }) }
}
