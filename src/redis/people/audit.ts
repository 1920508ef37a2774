import { z } from "zod"
import type { AuditEntry, AuditStore } from "../../audit/entry.ts"
import { ignoreBroken, type OnBroken, readable } from "../broken.ts"
import { redisTime } from "../clock.ts"
import { keys } from "../keys.ts"
import { RecordError } from "../record.ts"
import type { RedisClient } from "../script.ts"
import type { StoreOptions } from "../store-options.ts"

const DAY_MS = 86_400_000
/** Notes of one reading. */
const CHUNK = 500

/** The last moment that a date can be, ms. */
const moment = z.coerce.number().min(0).max(8.64e15)

const asked = z.object({
  job: z.string(),
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

/**
 * Reads the audit: a stream to which `settleOutbox` adds two notes a job.
 * @param options `days`: how long a note is kept
 */
export function createAuditStore(
  redis: RedisClient,
  { days, onBroken = ignoreBroken, now }: StoreOptions & { days: number },
): AuditStore {
  const oldest = async () => (now ? now() : await redisTime(redis)) - days * DAY_MS

  return {
    async *entries() {
      // Newest first, how a job ended is read before who asked for it: only jobs in between are remembered.
      const endings = new Map<string, z.output<typeof ended>>()
      const from = await oldest()
      for await (const chunk of notes(redis, onBroken)) {
        const entries: AuditEntry[] = []
        for (const { value } of chunk) {
          if ("ending" in value) {
            // A job that was followed again ended more than once, and the last time counts.
            if (!endings.has(value.job)) endings.set(value.job, value)
          } else if (value.at >= from) {
            entries.push({ ...value, ...endings.get(value.job) })
            endings.delete(value.job)
          }
        }
        yield entries
      }
    },

    async trim() {
      await redis.xtrim(keys.audit, "MINID", "=", await oldest())
    },
  }
}

/** Deletes every note that names a person. How their jobs ended names nobody, and is no entry by itself. */
export async function forgetInAudit(redis: RedisClient, user: string): Promise<void> {
  for await (const chunk of notes(redis, ignoreBroken)) {
    const theirs = chunk.filter(({ value }) => "user" in value && value.user === user)
    if (theirs.length > 0) await redis.xdel(keys.audit, ...theirs.map(({ id }) => id))
  }
}

/** Reads all notes, newest first, in chunks. */
async function* notes(redis: RedisClient, onBroken: OnBroken) {
  for (let to = "+"; ; ) {
    const chunk = await redis.xrevrange(keys.audit, to, "-", "COUNT", CHUNK)
    yield chunk.flatMap(([id, fields]) => {
      const value = readable(`${keys.audit} ${id}`, () => toNote(id, fields), onBroken)
      return value ? { id, value } : []
    })
    const last = chunk.at(-1)
    if (!last || chunk.length < CHUNK) return
    to = `(${last[0]}`
  }
}

/** @throws RecordError when it is broken, or was written by another version */
function toNote(id: string, fields: readonly string[]): z.output<typeof note> {
  const named = fields.flatMap((name, i) => (i % 2 === 0 ? [[name, fields[i + 1]]] : []))
  const { data } = note.safeParse(Object.fromEntries(named))
  if (!data) throw new RecordError(`The audit's note ${id} cannot be read.`)
  return data
}
