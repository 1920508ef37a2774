import type { Context } from "../jobs/context.ts"
import { dispatchOf, queueKeys, queuesOf, TROUBLES } from "../jobs/job-keys.ts"
import {
  type Health,
  type HealthStore,
  healthShape,
  isKeyFault,
  type KeyFault,
} from "../jobs/pause-record.ts"
import type { AttemptOutcome } from "../jobs/send-round.ts"
import { LONGEST_PAUSE_MS } from "../lib/time.ts"
import type { GrantFacts } from "../store/grant-slot.ts"
import { parseRecord } from "../store/record-fields.ts"
import { createRecords, type OnBroken } from "../store/records.ts"
import type { Store } from "../store/script.ts"

export type PauseLengths = Context["settings"]["timing"]["pauses"]

/** First pause of a queue in ms, after a 429 and after an outage; each further one is twice as long. */
export const PAUSES: PauseLengths = {
  firstMs: 60_000,
  outageFirstMs: 15_000,
  longestMs: 15 * 60_000,
}
/** Minimum pause, for a service that keeps answering "try again at once". */
const MIN_MS = 1000

/** Derives how an attempt's outcome pauses the queue, or ends its pause. Pure. */
export function pausedBy(
  health: Health,
  outcome: AttemptOutcome,
  { keyId, lengths, now }: { keyId: string; lengths: PauseLengths; now: number },
): Partial<Health> | undefined {
  if (outcome.kind === "created") return accepted(health, keyId)
  const putBack = outcome.kind === "put_back" ? outcome : undefined
  const reason = outcome.kind === "unknown" ? "outage" : putBack?.reason
  if (reason === undefined) return undefined
  if (isKeyFault(reason)) return keyRefused(health, { reason, keyId, until: "ever", now })
  if (isHeldFor(health, keyId)) return undefined
  const firstMs = reason === "outage" ? lengths.outageFirstMs : lengths.firstMs
  // If the service refuses again after the wait it named, that wait was too short.
  const startMs = putBack?.pauseMs === undefined ? firstMs : MIN_MS
  const grownMs = Math.min(startMs * 2 ** health.tries, lengths.longestMs)
  const ms = Math.max(grownMs, putBack?.pauseMs ?? 0)
  const [since, tries] = [health.since ?? now, health.tries + 1]
  return { reason, since, until: now + ms, tries, key: undefined }
}

/**
 * Returns whether only an admin, another key or an accepted read ends the pause. While another key
 * is accepted, a process with the refused one starts nothing.
 */
export function isHeldFor({ reason, until, key }: Health, keyId: string): boolean {
  if (reason === undefined) return key === keyId
  return isEndless(until) && (key ?? keyId) === keyId
}

/** Returns whether a pause has no time at which it ends. */
export function isEndless(until: Health["until"]): until is "ever" | "read" {
  return typeof until === "string"
}

/** Pauses the queue without an end, because the service refuses the key. Pure. */
export function keyRefused(
  health: Health,
  refused: { reason: KeyFault; keyId: string; until: "ever" | "read"; now: number },
): Partial<Health> {
  const { reason, keyId, until, now } = refused
  return {
    reason,
    since: isEndless(health.until) ? (health.since ?? now) : now,
    until: health.until === "read" ? "read" : until,
    key: keyId,
    tries: health.tries + 1,
  }
}

/** Ends any pause after an accepted attempt, but remembers another key that was refused. */
function accepted(health: Health, keyId: string): Partial<Health> | undefined {
  const { reason, tries } = health
  const key = health.key === keyId ? undefined : health.key
  if (reason === undefined && tries === 0 && key === health.key) return undefined
  return { reason: undefined, since: undefined, until: undefined, key, tries: 0 }
}

/**
 * Handles an accepted read. Ends a pause in which the service also refused reads, or one that
 * concerns another key; then one attempt goes first as a test. In any other pause the read proves
 * only that the key may read. Pure.
 */
export function readAccepted(
  health: Health,
  { keyId, now }: { keyId: string; now: number },
): Partial<Health> | undefined {
  if (health.reason === undefined) return health.key === keyId ? { key: undefined } : undefined
  if (!isEndless(health.until) || (health.key === keyId && health.until === "ever"))
    return undefined
  return { until: now, key: undefined }
}

/** Resumes the queue for an admin; one attempt goes first as a test. Pure. */
export function resumed(health: Health, now: number): Partial<Health> | undefined {
  return pauseOf(health, now) && { until: now, key: undefined }
}

export type Pause = NonNullable<ReturnType<typeof pauseOf>>

/**
 * Returns the pause that is in force; `until` is absent if it has no end. One that ends later than
 * any does is from before the clock was set back, and over.
 */
export function pauseOf({ reason, until = 0 }: Health, now: number) {
  if (reason === undefined) return undefined
  if (isEndless(until)) return { reason }
  return until > now && until - now <= LONGEST_PAUSE_MS ? { reason, until } : undefined
}

/** Wait in ms until another look at a pause without an end; its end wakes the queue. */
const HELD_MS = 60_000

/** Derives what the pauses of a queue and its project mean for a process with this key. Pure. */
export function pauseFacts(
  own: Health,
  project: Health,
  { keyId, now }: { keyId: string; now: number },
): GrantFacts["pause"] {
  const isHeld = [own, project].some((health) => isHeldFor(health, keyId))
  const { until = now } = pauseOf(own, now) ?? {}
  return {
    forMs: isHeld ? HELD_MS : until - now,
    isTrial: own.reason !== undefined,
    revs: [own.rev ?? "", project.rev ?? ""],
  }
}

/** Resumes both queues of a project, as an admin decides. Resolves to whether one was paused. */
export async function resumeQueues({ health }: { health: HealthStore }, project: string) {
  const changes = queuesOf([project]).map((queue) => health.change(queue, resumed))
  return (await Promise.all(changes)).includes(true)
}

/**
 * Creates the store of the queues' health.
 * @param isServed whether the settings still have the project of this queue
 */
export function createHealthStore(
  store: Store,
  onBroken: OnBroken,
  isServed: (queue: string) => boolean = () => true,
): HealthStore {
  const record = (queue: string) => queueKeys(queue).pause
  const parse = (queue: string, hash: object) => parseRecord(healthShape, `pause of ${queue}`, hash)
  const records = createRecords(store, { record, parse }, onBroken)
  return {
    async read(queue) {
      if (!isServed(queue)) return { reason: "removed", until: "ever", tries: 0 }
      const { value, rev } = await records.read(queue)
      return value ?? { tries: 0, rev }
    },

    change: (queue, decide) =>
      records.change<boolean>(queue, (before = { tries: 0 }, now) => {
        const set = decide(before, now)
        const ops = [dispatchOf(queue), TROUBLES].map((what) => ({ do: "tell", what }) as const)
        return { write: set && { set, ops }, result: set !== undefined }
      }),
  }
}
