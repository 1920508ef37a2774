import { z } from "zod"
import { LONGEST_PAUSE_MS, type PauseLengths } from "../config/timing.ts"
import type { CreationOutcome } from "../jobs/creation-outcome.ts"
import { dispatchOf, queueKeys } from "../jobs/job-keys.ts"
import { type KeyFault, pauseReasons } from "../jobs/pause-reasons.ts"
import { numberField, parseRecord } from "../store/record-fields.ts"
import { createRecords, type OnBroken } from "../store/records.ts"
import type { Store } from "../store/script.ts"

/** Time in ms for which processes with old and new settings run side by side in a rollout. */
export const ROLLING_MS = 60_000
/** Minimum pause, for a service that keeps answering "try again at once". */
const MIN_MS = 1000

const healthShape = z.object({
  rev: numberField.exactOptional(),
  reason: z.enum(pauseReasons).exactOptional(),
  since: numberField.exactOptional(),
  /** End of the pause; `ever`: an admin, another key or a working `refusedKey` must end it. */
  until: z.union([z.literal("ever"), numberField]).exactOptional(),
  tries: numberField.default(0),
  /** Fingerprint of the key that the service refused. */
  refusedKey: z.string().exactOptional(),
  /** Job that the service refused to show to that key, which a probing read asks for again. */
  refusedRead: z.string().exactOptional(),
  /** Fingerprint of the key that the service accepted last. */
  acceptedKey: z.string().exactOptional(),
  /** Time until which processes with the refused key may still run beside others. */
  rolling: numberField.exactOptional(),
  /** Job whose creation got a 403, until the service answers another creation otherwise. */
  suspect: z.string().exactOptional(),
})
/** Standing of a queue with the service. Without a `reason` the queue is not paused. */
export type Health = z.infer<typeof healthShape>

type HealthChange = { [K in keyof Health]?: Health[K] | undefined }

/** Derives how a creation's outcome pauses the queue, or ends its pause. Pure. */
export function pausedBy(
  health: Health,
  outcome: CreationOutcome,
  { keyId, lengths, now }: { keyId: string; lengths: PauseLengths; now: number },
): HealthChange | undefined {
  if (outcome.kind === "created") return accepted(health, keyId)
  if (outcome.kind === "refused" && health.suspect && outcome.cause?.fault !== "forbidden")
    return { suspect: undefined }
  const putBack = outcome.kind === "put_back" ? outcome : undefined
  const reason = outcome.kind === "unknown" ? "outage" : putBack?.reason
  if (reason === undefined) return undefined
  if (isKeyFault(reason)) return keyRefused(health, { reason, keyId, now })
  if (isHeldFor(health, keyId)) return undefined
  const firstMs = reason === "outage" ? lengths.outageFirstMs : lengths.firstMs
  // If the service refuses again after the wait it named, that wait was too short.
  const startMs = putBack?.pauseMs === undefined ? firstMs : MIN_MS
  const grownMs = Math.min(startMs * 2 ** health.tries, lengths.longestMs)
  const ms = Math.max(grownMs, putBack?.pauseMs ?? 0)
  const [since, tries] = [health.since ?? now, health.tries + 1]
  return { reason, since, until: now + ms, tries, ...NOT_REFUSED }
}

/** Returns whether only an admin or another key ends the pause, as in `store/reserve.ts`. */
export function isHeldFor({ until, refusedKey }: Health, keyId: string): boolean {
  return until === "ever" && (refusedKey ?? keyId) === keyId
}

/** Returns whether the service refuses the key until somebody fixes it. */
export function isKeyFault(reason: string | undefined): reason is KeyFault {
  return reason === "key_refused" || reason === "forbidden"
}

/** Pauses the queue without an end, because the service refuses the key. Pure. */
export function keyRefused(
  health: Health,
  refused: { reason: KeyFault; keyId: string; refusedRead?: string; now: number },
): HealthChange {
  const { reason, keyId, refusedRead, now } = refused
  return {
    reason,
    since: health.until === "ever" ? (health.since ?? now) : now,
    until: "ever",
    refusedKey: keyId,
    tries: health.tries + 1,
    rolling: now + ROLLING_MS,
    suspect: undefined,
    ...(refusedRead ? { refusedRead } : {}),
  }
}

/**
 * Handles a 403 to one request: a gateway may reject its text, or the key lost a permission. If two
 * different requests are refused in a row, the key is at fault, and no request is suspect. Pure.
 */
export function suspectAfter({ suspect }: Health, job: string): string | undefined {
  return suspect === undefined || suspect === job ? job : undefined
}

/** Ends any pause after an accepted creation, but keeps another key that the service refused. */
function accepted(health: Health, keyId: string): HealthChange | undefined {
  const { reason, suspect, tries, acceptedKey = keyId } = health
  if (reason === undefined && suspect === undefined && tries === 0 && acceptedKey === keyId)
    return undefined
  const refused = health.refusedKey === keyId ? undefined : health.refusedKey
  const nothing = { reason: undefined, since: undefined, until: undefined, suspect: undefined }
  return { ...nothing, ...NOT_REFUSED, refusedKey: refused, tries: 0, acceptedKey: keyId }
}

const NOT_REFUSED: HealthChange = { refusedKey: undefined, refusedRead: undefined }

/**
 * Handles an accepted read. Ends a pause in which the service also refused reads, or one that
 * concerns another key; then one creation goes first as a test. In any other pause the read proves
 * only that the key may read. Pure.
 */
export function readAccepted(
  health: Health,
  { keyId, now }: { keyId: string; now: number },
): HealthChange | undefined {
  if (health.until !== "ever" || (health.refusedKey === keyId && !health.refusedRead))
    return undefined
  return { until: now, ...NOT_REFUSED }
}

/** Resumes the queue for an admin; one creation goes first as a test. Pure. */
export function resumed(health: Health, now: number): HealthChange | undefined {
  return pauseOf(health, now) && { until: now, ...NOT_REFUSED }
}

export type Pause = NonNullable<ReturnType<typeof pauseOf>>

/**
 * Returns the pause that is in force; `until` is absent if it has no end. One that ends later than
 * any does is from before the clock was set back, and over.
 */
export function pauseOf({ reason, until = 0 }: Health, now: number) {
  if (reason === undefined) return undefined
  if (until === "ever") return { reason }
  return until > now && until - now <= LONGEST_PAUSE_MS ? { reason, until } : undefined
}

export type HealthStore = ReturnType<typeof createHealthStore>

/** @param isServed whether the settings still have the project of this queue */
export function createHealthStore(
  store: Store,
  onBroken: OnBroken,
  isServed: (queue: string) => boolean = () => true,
) {
  const record = (queue: string) => queueKeys(queue).pause
  const parse = (queue: string, hash: object) => parseRecord(healthShape, `pause of ${queue}`, hash)
  const records = createRecords(store, { record, parse }, onBroken)
  return {
    async read(queue: string): Promise<Health> {
      if (!isServed(queue)) return { reason: "removed", until: "ever", tries: 0 }
      return (await records.find(queue)) ?? { tries: 0 }
    },

    async change(queue: string, decide: (health: Health, now: number) => HealthChange | undefined) {
      const changed = await records.change(queue, (was = { tries: 0 }, now) => {
        const set = decide(was, now)
        const ops = [dispatchOf(queue), "troubles"].map((what) => ({ do: "tell", what }) as const)
        return set ? { write: { set, ops }, result: true } : { result: false }
      })
      return changed === true
    },
  }
}
