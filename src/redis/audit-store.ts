import { z } from "zod"
import type { AuditEntry, AuditStore } from "../audit/entry.ts"
import { keys } from "./keys.ts"
import { type Now, nowArgument, type RedisClient } from "./script.ts"
import { record } from "./scripts/audit.ts"

const DAY_MS = 86_400_000
/** Entries of one reading. */
const CHUNK = 500

const entryRecord = z.object({
  v: z.literal("1"),
  at: z.coerce.number(),
  user: z.string(),
  channel: z.string(),
  project: z.string(),
  agent: z.string().optional(),
  ending: z.string().optional(),
  ended: z.coerce.number().optional(),
  pr: z.string().optional(),
})

/** @param options `days`: how long an entry is kept after it was asked */
export function createAuditStore(
  redis: RedisClient,
  options: { days: number; now?: Now },
): AuditStore {
  const keepMs = options.days * DAY_MS
  const at = () => nowArgument(options.now)

  async function read(ids: readonly string[]): Promise<AuditEntry[]> {
    const found = await Promise.all(
      ids.map((id) => Promise.all([redis.hgetall(keys.audit(id)), redis.get(keys.auditWords(id))])),
    )
    return found.flatMap(([hash, words], i) => toEntry(ids[i] ?? "", hash, words ?? ""))
  }

  return {
    async record(entry) {
      const { job, user, words } = entry
      const own = [keys.audit(job), keys.auditWords(job), keys.audits, keys.auditsOf(user)]
      const fields = Object.entries(toFields(entry)).flat()
      await record(redis, own, [at(), job, entry.at, keepMs, words, ...fields])
    },

    async *entries() {
      // The list shrinks at its old end meanwhile, so its ids (some bytes each) are taken at once.
      const ids = await redis.zrange(keys.audits, "0", "-1")
      for (let from = 0; from < ids.length; from += CHUNK)
        yield await read(ids.slice(from, from + CHUNK))
    },
  }
}

function toFields(entry: AuditEntry): Record<string, string | number> {
  return {
    v: 1,
    at: entry.at,
    user: entry.user,
    channel: entry.channel,
    project: entry.project,
    ...(entry.agentJob === undefined ? {} : { agent: entry.agentJob }),
    ...(entry.ending === undefined ? {} : { ending: entry.ending }),
    ...(entry.endedAt === undefined ? {} : { ended: entry.endedAt }),
    ...(entry.prLink === undefined ? {} : { pr: entry.prLink }),
  }
}

/** None when it has expired since the list was read, or was written by another version. */
function toEntry(job: string, hash: Record<string, string>, words: string): AuditEntry[] {
  const parsed = entryRecord.safeParse(hash)
  if (!parsed.success) return []
  const { v: _, agent, ending, ended, pr, ...rest } = parsed.data
  return [
    {
      job,
      words,
      ...rest,
      ...(agent === undefined ? {} : { agentJob: agent }),
      ...(ending === undefined ? {} : { ending }),
      ...(ended === undefined ? {} : { endedAt: ended }),
      ...(pr === undefined ? {} : { prLink: pr }),
    },
  ]
}
