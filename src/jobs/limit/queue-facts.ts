import { WINDOW_MS } from "../../config/timing.ts"
import { currentTime } from "../../store/clock.ts"
import { scoresOf } from "../../store/limits.ts"
import type { JobsDeps } from "../deps.ts"
import { isMessages, projectOf, queueKeys } from "../keys.ts"
import { type Pause, pauseOf } from "../trouble/pause.ts"

/** Maximum queued jobs with a position and an expected start; further cards show neither. */
const MAX_VIEW = 1000

export interface QueueFacts {
  now: number
  /** Creations of the rolling hour, oldest first, with time and person. */
  log: { at: number; user: string }[]
  /** Ids of queued jobs in the order in which they start. */
  waiting: string[]
  pause: Pause | undefined
}

export async function readQueue(
  { store, health }: Pick<JobsDeps, "store" | "health">,
  queue: string,
): Promise<QueueFacts> {
  const { log, wait } = queueKeys(queue)
  const now = await currentTime(store)
  const [creations, waiting, own, project] = await Promise.all([
    scoresOf(store, log, `(${now - WINDOW_MS}`),
    store.redis.zrange(wait, "0", String(MAX_VIEW - 1)),
    health.read(queue),
    isMessages(queue) ? health.read(projectOf(queue)) : undefined,
  ])
  return {
    now,
    log: creations.map(({ member, score }) => ({
      at: score,
      user: member.slice(member.indexOf(" ") + 1),
    })),
    waiting,
    // A pause without an end applies to the project's messages, too.
    pause: pauseOf(project?.until === "ever" ? project : own, now),
  }
}
