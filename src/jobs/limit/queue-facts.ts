import { currentTime } from "../../store/clock.ts"
import type { JobsDeps } from "../deps.ts"
import { EPOCH, queueKeys } from "../keys.ts"
import { type HealthStore, type Pause, pauseOf } from "../trouble/pause.ts"
import { isMessages, projectOf } from "./queues.ts"

/** Maximum queued jobs with a position and an expected start; further cards show neither. */
const MAX_VIEW = 1000

export interface QueueFacts {
  now: number
  /** Creations of the rolling hour, oldest first, with time and person. */
  log: { at: number; user: string }[]
  /** Ids of queued jobs in the order in which they start. */
  waiting: string[]
  pause: Pause | undefined
  /** Time from which a Redis that may have lost data grants slots; absent once that has passed. */
  opensAt?: number
}

type QueueDeps = Pick<JobsDeps, "store" | "health" | "limits">

export async function readQueue(
  { store, health, limits: { windowMs } }: QueueDeps,
  queue: string,
): Promise<QueueFacts> {
  const { redis } = store
  const keys = queueKeys(queue)
  const [now, log, waiting, pause, epoch] = await Promise.all([
    currentTime(store),
    redis.zrange(keys.log, "0", "-1", "WITHSCORES"),
    redis.zrange(keys.wait, "0", String(MAX_VIEW - 1)),
    readPause(health, queue),
    redis.get(EPOCH),
  ])
  const opensAt = Number(/^\d+/.exec(epoch ?? "")?.[0] ?? 0)
  return {
    now,
    log: log.flatMap((member, n) => {
      const at = Number(log[n + 1])
      if (n % 2 === 1 || at <= now - windowMs) return []
      return [{ at, user: member.slice(member.indexOf(" ") + 1) }]
    }),
    waiting,
    pause,
    ...(opensAt > now ? { opensAt } : {}),
  }
}

/** Reads the pause of a queue. An endless pause of a project applies to its messages, too. */
async function readPause(health: HealthStore, queue: string): Promise<Pause | undefined> {
  const own = pauseOf(await health.read(queue))
  if (!isMessages(queue)) return own
  const project = pauseOf(await health.read(projectOf(queue)))
  return project && project.until === undefined ? project : own
}
