import { z } from "zod"
import type { Pause, QueueFacts, QueueStore } from "../../jobs/queue-ports.ts"
import { isMessages, messagesOf, projectOf, renamedQueue } from "../../jobs/queues.ts"
import { ignoreBroken, type OnBroken, typed } from "../broken.ts"
import { redisTime } from "../clock.ts"
import { JOB_PREFIX, keys } from "../keys.ts"
import { touch } from "../outbox/store.lua.ts"
import type { ReadProjectNames } from "../projects/names.ts"
import { pairs } from "../replies.ts"
import type { Now, RedisClient } from "../script.ts"
import { resume } from "./service-health.lua.ts"
import { waitingWith } from "./waiting.lua.ts"

/** Waiting jobs whose places are worked out; those behind are told they are further back. */
const LONGEST_VIEW = 1000

const pauseRecord = z.object({
  reason: z.enum(["rate_limited", "outage", "key_refused", "forbidden"]),
  until: z.string(),
  since: z.coerce.number(),
})

export function createQueueStore(
  redis: RedisClient,
  options: { windowMs: number; names: ReadProjectNames; onBroken?: OnBroken; now?: Now },
): QueueStore {
  const { names, onBroken = ignoreBroken } = options
  const stored = async (queue: string) => renamedQueue(queue, (await names()).storedAs)
  const ownPause = async (queue: string) => {
    const key = keys.project(queue).pause
    return toPause((await typed(key, redis.hgetall(key), onBroken)) ?? {})
  }
  /** A project whose key is refused sends no messages either. */
  const pauseOf = async (queue: string) => {
    const pause = isMessages(queue) ? await ownPause(projectOf(queue)) : undefined
    return pause && pause.until === undefined ? pause : ownPause(queue)
  }
  const waiting = (queue: string, fields: readonly string[]) => {
    const args = { most: LONGEST_VIEW, jobPrefix: JOB_PREFIX }
    return waitingWith({ redis, now: options.now }, keys.project(queue), args, fields)
  }
  return {
    async facts(name): Promise<QueueFacts> {
      const queue = await stored(name)
      const k = keys.project(queue)
      const [now, log, line, creating, pause, epoch] = await Promise.all([
        options.now ? options.now() : redisTime(redis),
        redis.zrange(k.log, "0", "-1", "WITHSCORES"),
        waiting(queue, ["user"]),
        redis.zcard(k.creating),
        pauseOf(queue),
        typed(keys.epoch, redis.get(keys.epoch), onBroken),
      ])
      const opensAt = Number(/^\d+/.exec(epoch ?? "")?.[0] ?? 0)
      return {
        now,
        log: pairs(log)
          .filter((entry) => entry.at > now - options.windowMs)
          .map(({ member, at }) => ({ at, user: member.slice(member.indexOf(" ") + 1) })),
        waiting: line.flatMap(([id, user]) => (user ? { id, user } : [])),
        creating,
        pause,
        ...(opensAt > now ? { opensAt } : {}),
      }
    },

    /** What is not configured here is another process' business, or nobody's. */
    async busy() {
      const [known, busy] = await Promise.all([names(), redis.sunion(keys.busy, keys.busyMessages)])
      const ours = busy.filter((queue) => known.stored.includes(projectOf(queue)))
      return ours.map((queue) => renamedQueue(queue, known.nameOf))
    },

    async pause(queue) {
      return pauseOf(await stored(queue))
    },

    async resume(project) {
      const queue = await stored(project)
      const { pause: messagesPause } = keys.project(messagesOf(queue))
      const own = { ...keys.project(queue), messagesPause }
      return (await resume({ redis, now: options.now }, own, {})) > 0
    },

    async shown(queue) {
      const fields = ["card", "place", "starts", "paused", "tried"]
      const line = await waiting(await stored(queue), fields)
      return new Map(
        line.flatMap(([id, card, place, starts, paused = "", tried]) => {
          if (!card) return []
          const shown = {
            ...(place ? { place: Number(place) } : {}),
            ...(starts ? { startsAt: Number(starts) } : {}),
            paused,
            ...(tried ? { triedAt: Number(tried) } : {}),
          }
          return [[id, shown] as const]
        }),
      )
    },

    async touch(ids) {
      if (ids.length > 0) await touch({ redis, now: options.now }, keys, {}, ids)
    },

    async once(task, ms) {
      return (await redis.set(keys.holder(task), "1", "PX", ms, "NX")) === "OK"
    },

    async undo(task) {
      await redis.del(keys.holder(task))
    },
  }
}

function toPause(hash: Record<string, string>): Pause | undefined {
  const parsed = pauseRecord.safeParse(hash)
  if (!parsed.success) return undefined
  const { reason, until, since } = parsed.data
  return until === "" ? { reason, since } : { reason, since, until: Number(until) }
}
