import { randomUUID } from "node:crypto"
import { z } from "zod"
import type { Context } from "../jobs/context.ts"
import { BUSY, jobKeys, projectOf, queueKeys, queuesOf, TROUBLES } from "../jobs/job-keys.ts"
import { doubted } from "../jobs/prepare-round.ts"
import { DAY_MS, WINDOW_MS } from "../lib/time.ts"
import { key, WAKE_CHANNEL } from "../store/redis-keys.ts"
import { currentTime, type Store, script } from "../store/script.ts"
import type { OutsideMemory } from "./memory-outside-redis.ts"
import { pauseOf } from "./pauses.ts"

/** Time in ms after which a file that marks this Redis no more is forgotten. */
const KEPT_MS = 30 * DAY_MS
/**
 * Time in ms after which a Redis without marks may be a backup. A worker marks it every few seconds;
 * where `DATA_DIR` outlasts no restart, one that takes less changes nothing.
 */
const SILENT_MS = 120_000
/**
 * Lead in ms of a file that proves no backup: a crash of Redis loses the last second of writes, and
 * with it a mark that the file already has.
 */
const CRASH_MS = 5000

/**
 * Compares this Redis with the marks in a file outside of it, given in `rest` as pairs of a Redis's
 * id and a time. Redis keeps the time of each file's last mark, too: if that is older than in the
 * file, this is a backup. If the file knows nothing of a Redis that no worker has marked for a while,
 * or in which another machine has found a backup, it may be one (`unknown`). Otherwise, or if the
 * caller `accepts` that verdict, marks Redis with the time of now.
 * @returns the verdict, this Redis's id, and the new mark or the latest that was there
 */
const recognize = script(
  z.tuple([z.enum(["marked", "backup", "unknown"]), z.string(), z.number()]),
  "memory",
  "file newId accepts",
  `
redis.call('HSETNX', memory, 'id', newId)
local id, known = redis.call('HGET', memory, 'id'), 0
for i = rest, #ARGV, 2 do
  if ARGV[i] == id then known = tonumber(ARGV[i + 1]) end
end
local seen = tonumber(redis.call('HGET', memory, file)) or 0
if accepts == '' and known - seen > ${CRASH_MS} then return {'backup', id, seen} end
if known == 0 then
  local all, latest = redis.call('HGETALL', memory), 0
  for i = 1, #all, 2 do
    local age = now - (tonumber(all[i + 1]) or now)
    -- A mark of the future is from before the clock was set back.
    if age > 0 and all[i] ~= 'backup' then latest = math.max(latest, now - age) end
    if age > ${KEPT_MS} then redis.call('HDEL', memory, all[i]) end
  end
  local isSilent = latest > 0 and now - latest > ${SILENT_MS}
  local isBackup = now - (tonumber(redis.call('HGET', memory, 'backup')) or 0) < ${WINDOW_MS}
  if accepts == '' and (isSilent or isBackup) then return {'unknown', id, latest} end
end
-- Once the hour is waited out, other machines have no more to tell.
if accepts == 'unknown' then redis.call('HDEL', memory, 'backup') end
if accepts == 'backup' then redis.call('HSET', memory, 'backup', string.format('%.0f', now)) end
redis.call('HSET', memory, file, string.format('%.0f', now))
return {'marked', id, now}
`,
)

/**
 * Hash with the id of this Redis's data, the time of the last mark of each file, and the time at which
 * this was last found to be a `backup`.
 */
const MEMORY = key("memory")

/** Time, by Redis's clock, of a start that could not know what was sent, until that hour is over. */
const UNKNOWN_HOUR = key("unknown-hour")

type Recognizing = Pick<Context, "store" | "health" | "jobs" | "settings">

/**
 * Looks whether Redis is older than what this machine remembers outside of it, which only a backup is:
 * people may have repeated since what waits in it, so an admin decides. What was sent or cancelled
 * since shows on its card, and isn't sent. A bot that was switched off finds Redis as it left it, and
 * continues. Runs before anything starts, and regularly after that, because Redis may be replaced
 * while the bot runs.
 */
export async function recognizeData(context: Recognizing, memory: OutsideMemory): Promise<void> {
  const { file, marks } = await memory.head()
  const known = marks.flatMap(({ id, at }) => [id, at])
  const look = (accepts: "" | "backup" | "unknown") =>
    recognize(
      context.store,
      { memory: MEMORY },
      { file, newId: randomUUID(), accepts },
      accepts ? [] : known,
    )
  let [verdict, id, at] = await look("")
  const last = marks.find((mark) => mark.id === id)?.at ?? 0
  if (verdict === "backup") await pauseAll(context, { backupAt: at || undefined, last })
  if (verdict === "unknown") await waitOut(context)
  if (verdict !== "marked") await doubtAll(context)
  // Only now, so that a worker that dies halfway leaves it to the next.
  if (verdict !== "marked") [verdict, id, at] = await look(verdict)
  await memory.mark({ id, at })
}

/**
 * Pauses every queue with waiting requests.
 * @param facts time of the backup, if known, and the last mark outside of it
 */
async function pauseAll(
  { store, health }: Recognizing,
  { backupAt, last }: { backupAt: number | undefined; last: number },
): Promise<void> {
  for (const queue of await store.redis.smembers(BUSY)) {
    if ((await store.redis.zcard(queueKeys(queue).wait)) === 0) continue
    for (const paused of new Set([queue, projectOf(queue)]))
      await health.change(paused, (latest, now) => {
        const isPaused = pauseOf(latest, now)?.reason === "restored"
        // Another worker did so just now; a pause from before the last mark is the backup's own.
        if (isPaused && (latest.since ?? 0) > last) return undefined
        return { reason: "restored", since: now, backupAt, until: "ever", key: undefined }
      })
  }
}

/**
 * Waits out the hour if `DATA_DIR` was lost and Redis may be a backup: every queue counts as full
 * from now on.
 */
async function waitOut(context: Recognizing): Promise<void> {
  const { store, settings } = context
  const since = await unknownSince(store)
  // Another worker that started at the same time has done so.
  if (since !== undefined && (await currentTime(store)) - since < SILENT_MS) return
  for (const queue of queuesOf(settings.projects.keys))
    await fillHour(store, queue, settings.limits.jobsPerHour)
  await store.redis.set(UNKNOWN_HOUR, await currentTime(store), "PX", WINDOW_MS)
  await store.redis.publish(WAKE_CHANNEL, `${TROUBLES} 0`)
}

/** Holds back all that waits until its card is compared: see `following/compare-card.ts`. */
async function doubtAll({ store, jobs }: Recognizing): Promise<void> {
  const queues = await store.redis.smembers(BUSY)
  const waits = queues.map((queue) => queueKeys(queue).wait)
  const lists = [...waits, jobKeys.schedule("polls"), jobKeys.schedule("outbox")]
  const ids = await Promise.all(lists.map((list) => store.redis.zrange(list, "0", "-1")))
  for (const id of new Set(ids.flat())) await jobs.change(id, ({ job }) => doubted(job))
}

/** Counts a queue's whole hour as spent now: what Redis knows of it, and the rest. */
async function fillHour(store: Store, queue: string, jobsPerHour: number): Promise<void> {
  const { redis } = store
  const { log } = queueKeys(queue)
  const now = await currentTime(store)
  const known = await redis.zrange(log, `(${now - WINDOW_MS}`, "+inf", "BYSCORE")
  const left = Math.max(0, jobsPerHour - known.length)
  const unknown = Array.from({ length: left }, (_, n) => `unknown:${now}-${n} `)
  for (const slot of [...known, ...unknown]) await redis.zadd(log, "GT", now, slot)
  await redis.pexpire(log, 2 * WINDOW_MS)
}

/** Returns since when an hour is waited out in which nobody knows what was sent. */
export async function unknownSince(store: Store): Promise<number | undefined> {
  const since = Number(await store.redis.get(UNKNOWN_HOUR))
  return since > 0 && (await currentTime(store)) - since < WINDOW_MS ? since : undefined
}
