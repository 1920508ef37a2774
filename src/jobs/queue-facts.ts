import { currentTime } from "../store/clock.ts"
import type { JobsDeps } from "./deps.ts"
import type { QueuePlace } from "./job.ts"
import { EPOCH, queueKeys } from "./keys.ts"
import { type HealthStore, type Pause, pauseOf } from "./pause.ts"
import { placesOf } from "./places.ts"
import { isMessages, projectOf } from "./queues.ts"

/** Waiting jobs whose places are worked out; those behind are told they are further back. */
const LONGEST_VIEW = 1000

/** One queue as facts, for places, start times and the hour's quota. */
export interface QueueFacts {
  now: number
  /** Creations of the rolling hour, oldest first: when, and by whom. */
  log: { at: number; user: string }[]
  /** Waiting jobs in the order they start. */
  waiting: { id: string }[]
  pause: Pause | undefined
  /** The moment before which Redis, which may have forgotten something, grants nothing, ms; absent once over. */
  opensAt?: number
}

/** Dependencies of whatever looks at a queue. */
export type QueueDeps = Pick<JobsDeps, "store" | "health" | "limits">

/** Reads one queue. */
export async function readQueue(
  { store, health, limits: { windowMs } }: QueueDeps,
  queue: string,
): Promise<QueueFacts> {
  const { redis } = store
  const keys = queueKeys(queue)
  const [now, log, waiting, pause, epoch] = await Promise.all([
    currentTime(store),
    redis.zrange(keys.log, "0", "-1", "WITHSCORES"),
    redis.zrange(keys.wait, "0", String(LONGEST_VIEW - 1)),
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
    waiting: waiting.map((id) => ({ id })),
    pause,
    ...(opensAt > now ? { opensAt } : {}),
  }
}

/** The pause of a queue; a project whose key is refused sends no messages either. */
async function readPause(health: HealthStore, queue: string): Promise<Pause | undefined> {
  const own = pauseOf((await health.read(queue)).health)
  if (!isMessages(queue)) return own
  const project = pauseOf((await health.read(projectOf(queue))).health)
  return project && project.until === undefined ? project : own
}

/** Places of the waiting jobs of a queue right now. */
export async function placesIn(deps: QueueDeps, queue: string): Promise<Map<string, QueuePlace>> {
  return placesOf(await readQueue(deps, queue), deps.limits)
}
