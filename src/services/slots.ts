import type { Config } from "../config/config.ts"
import { CREATION_MARGIN_MS, type Timing } from "../config/timing.ts"
import type { JobEvents } from "../jobs/events.ts"
import { BottleneckCreationSlots } from "../limits/creation-slots.ts"
import { whenBack } from "../redis/connection/connect.ts"
import type { ReadProjectNames } from "../redis/projects/names.ts"
import { createSlotStore, type SlotLimits } from "../redis/queue/slots.ts"
import type { RedisClient } from "../redis/script.ts"
import type { InFlight } from "../runtime/in-flight.ts"
import type { Log } from "../runtime/log.ts"
import { keyFingerprintOf } from "./stores.ts"

interface SlotsOptions extends Pick<SlotLimits, "coldMs" | "onBroken"> {
  timing: Timing
  names: ReadProjectNames
  events: JobEvents
  inFlight: InFlight
}

/** The rolling hour through the limiter. */
export function createSlots(
  config: Config,
  redis: RedisClient,
  { timing, events, inFlight, ...rest }: SlotsOptions,
): BottleneckCreationSlots {
  const { docs, limits, polling } = config
  const creationMs = docs.timeoutMs + CREATION_MARGIN_MS
  const { pauses } = timing
  // A card that a dead worker has leased is posted by another within this time, look-up included.
  const cardMs = 2 * timing.leaseMs
  const keyFingerprint = keyFingerprintOf(config)
  const within = { ...limits, creationMs, cardMs, pauses, keyFingerprint, ...rest }
  return new BottleneckCreationSlots(createSlotStore(redis, within), {
    jobsPerHour: limits.jobsPerHour,
    creationMs,
    sendWithinMs: CREATION_MARGIN_MS,
    firstPollMs: polling.minMs,
    events,
    inFlight,
  })
}

/** A Redis that lost its data hears of this process' creations before it grants anything again. */
export function reseedWhenBack(redis: RedisClient, slots: BottleneckCreationSlots, log: Log): void {
  whenBack(redis, () => {
    slots.reseed().catch((error) => log.warn({ error }, "couldn't report started jobs to Redis"))
  })
}
