import { randomUUID } from "node:crypto"
import { z } from "zod"
import type { Context } from "../jobs/context.ts"
import { BUSY, projectOf, queueKeys } from "../jobs/job-keys.ts"
import { key } from "../store/redis-keys.ts"
import { script } from "../store/script.ts"
import type { OutsideMemory } from "./memory-outside-redis.ts"
import { pauseOf } from "./pauses.ts"

/** Time in ms after which a file that marks this Redis no more is forgotten. */
const KEPT_MS = 30 * 86_400_000
/**
 * Lead in ms of a file that proves no backup: a crash of Redis loses the last second of writes, and
 * with it a mark that the file already has.
 */
const CRASH_MS = 5000

/**
 * Compares this Redis with the marks in a file outside of it, given in `rest` as pairs of a Redis's
 * id and a time. Redis keeps the time of each file's last mark, too: if that is older than in the
 * file, this is a backup, and nothing is written. Otherwise marks Redis with the time of now.
 * @returns this Redis's id, the new mark (0 for a backup), and the mark that was there
 */
const recognize = script(
  z.tuple([z.string(), z.number(), z.number()]),
  "memory",
  "file newId",
  `
redis.call('HSETNX', memory, 'id', newId)
local id, known = redis.call('HGET', memory, 'id'), 0
for i = rest, #ARGV, 2 do
  if ARGV[i] == id then known = tonumber(ARGV[i + 1]) end
end
local seen = tonumber(redis.call('HGET', memory, file)) or 0
if known - seen > ${CRASH_MS} then return {id, 0, seen} end
if seen == 0 then
  local all = redis.call('HGETALL', memory)
  for i = 1, #all, 2 do
    if now - (tonumber(all[i + 1]) or now) > ${KEPT_MS} then redis.call('HDEL', memory, all[i]) end
  end
end
redis.call('HSET', memory, file, string.format('%.0f', now))
return {id, now, seen}
`,
)

/** Hash with the id of this Redis's data, and the time of the last mark of each file. */
const MEMORY = key("memory")

/**
 * Pauses every queue with waiting requests if Redis is older than what this machine remembers
 * outside of it, which only a backup is: people may have cancelled or repeated them since. A bot
 * that was switched off finds Redis as it left it, and goes on. Runs before anything starts, and
 * regularly after that, because Redis may be replaced while the bot runs.
 */
export async function recognizeData(
  { store, health }: Pick<Context, "store" | "health">,
  memory: OutsideMemory,
): Promise<void> {
  const { file, marks } = await memory.head()
  const facts = { file, newId: randomUUID() }
  const known = marks.flatMap(({ id, at }) => [id, at])
  let [id, at, seen] = await recognize(store, { memory: MEMORY }, facts, known)
  if (at === 0) {
    const last = marks.find((mark) => mark.id === id)?.at ?? 0
    for (const queue of await store.redis.smembers(BUSY)) {
      if ((await store.redis.zcard(queueKeys(queue).wait)) === 0) continue
      for (const paused of new Set([queue, projectOf(queue)]))
        await health.change(paused, (latest, now) => {
          const isPaused = pauseOf(latest, now)?.reason === "restored"
          // Another worker did so just now; a pause from before the last mark is the backup's own.
          if (isPaused && (latest.since ?? 0) > last) return undefined
          const backupAt = seen || undefined
          return { reason: "restored", since: now, backupAt, until: "ever", key: undefined }
        })
    }
    ;[id, at] = await recognize(store, { memory: MEMORY }, facts)
  }
  await memory.mark({ id, at })
}
