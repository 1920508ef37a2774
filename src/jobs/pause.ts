import { z } from "zod"
import type { PauseLengths } from "../config/timing.ts"
import { commit, read } from "../store/commit.ts"
import { flagField, numberField, parseRecord } from "../store/record.ts"
import type { Store } from "../store/script.ts"
import { queueKeys } from "./keys.ts"
import type { CreationOutcome, KeyFault, PauseReason } from "./outcome.ts"

/** Processes with the old key and with the new one run side by side for about as long, ms. */
const ROLLING_MS = 60_000
/** "Try again at once" is no pause: a service that says so without end would be asked without end. ms */
const SHORTEST_MS = 1000

const healthShape = z.object({
  rev: numberField.exactOptional(),
  reason: z
    .enum(["rate_limited", "outage", "restored", "key_refused", "forbidden"])
    .exactOptional(),
  since: numberField.exactOptional(),
  /** End of the pause, ms; `ever`: until the key is accepted again, there is another, or somebody resumes. */
  until: z.union([z.literal("ever"), numberField]).exactOptional(),
  /** Failures in a row. */
  tries: numberField.default(0),
  /** Print of the key that was refused. */
  print: z.string().exactOptional(),
  /** Reads were refused with it as well. */
  readsRefused: flagField.exactOptional(),
  /** Print of the key that was accepted last. */
  fine: z.string().exactOptional(),
  /** The time for which processes with the rejected key may still run beside others, ms. */
  rolling: numberField.exactOptional(),
  /** The one request that was answered 403 since another was accepted. */
  suspect: z.string().exactOptional(),
})
/** Health of a queue at the service. A record without a `reason` is one where nothing is held up. */
export type Health = z.infer<typeof healthShape>

export interface Pause {
  reason: PauseReason
  /** ms */
  since: number
  /** Absent: until the key is accepted again, there is another, or somebody resumes it. */
  until?: number
}

/** A new state of health; `undefined` takes a field away. */
type Healthier = { [K in keyof Health]?: Health[K] | undefined }

/** Derives how a creation's outcome pauses the queue, or ends its pause. Pure. */
export function pausedBy(
  health: Health,
  outcome: CreationOutcome,
  { print, lengths, now }: { print: string; lengths: PauseLengths; now: number },
): Healthier | undefined {
  if (outcome.kind === "created") return accepted(health, print)
  const putBack = outcome.kind === "put_back" ? outcome : undefined
  const reason = outcome.kind === "unknown" ? "outage" : putBack?.reason
  if (reason === undefined) return undefined
  if (isKeyFault(reason)) return keyRefused(health, { reason, print, byRead: false, now })
  // One that waits for this very key waits on.
  if (health.until === "ever" && health.print === print) return undefined
  const firstMs = reason === "outage" ? lengths.outageFirstMs : lengths.firstMs
  // A wait that the service named was too short if it refuses again after it.
  const startMs = putBack?.pauseMs === undefined ? firstMs : SHORTEST_MS
  const grownMs = Math.min(startMs * 2 ** health.tries, lengths.longestMs)
  const ms = Math.max(grownMs, putBack?.pauseMs ?? 0)
  const [since, tries] = [health.since ?? now, health.tries + 1]
  return { reason, since, until: now + ms, tries, ...NOT_REFUSED }
}

/** Tells whether the service rejects the key until somebody fixes it. */
export function isKeyFault(reason: string | undefined): reason is KeyFault {
  return reason === "key_refused" || reason === "forbidden"
}

/** The key is refused: nothing is started until somebody sees to it. Pure. */
export function keyRefused(
  health: Health,
  { reason, print, byRead, now }: { reason: KeyFault; print: string; byRead: boolean; now: number },
): Healthier {
  return {
    reason,
    since: health.until === "ever" ? (health.since ?? now) : now,
    until: "ever",
    print,
    tries: health.tries + 1,
    rolling: now + ROLLING_MS,
    suspect: undefined,
    ...(byRead ? { readsRefused: true } : {}),
  }
}

/**
 * A 403 to one creation: a gateway may dislike its words, or the key lost a permission. Two different
 * requests in a row tell. Pure.
 */
export function forbidden(
  health: Health,
  { job, print, now }: { job: string; print: string; now: number },
): { is: "alone" | "refused"; health: Healthier } {
  if (health.suspect === undefined || health.suspect === job)
    return { is: "alone", health: { suspect: job } }
  return {
    is: "refused",
    health: keyRefused(health, { reason: "forbidden", print, byRead: false, now }),
  }
}

/** The service accepted a creation: all is well. Another key that was refused stays known. */
function accepted(health: Health, print: string): Healthier | undefined {
  const { reason, suspect, tries, fine = print } = health
  if (reason === undefined && suspect === undefined && tries === 0 && fine === print)
    return undefined
  const refused = health.print === print ? undefined : health.print
  const nothing = { reason: undefined, since: undefined, until: undefined, suspect: undefined }
  return { ...nothing, ...NOT_REFUSED, print: refused, tries: 0, fine: print }
}

/** No key is known to be refused. */
const NOT_REFUSED: Healthier = { print: undefined, readsRefused: undefined }

/**
 * A read was accepted. It ends a pause in which reads were refused as well, or that is for another key:
 * one creation goes first and shows whether all is well. Any other says no more than that the key may
 * read. Pure.
 */
export function readAccepted(
  health: Health,
  { print, now }: { print: string; now: number },
): Healthier | undefined {
  if (health.until !== "ever" || (health.print === print && !health.readsRefused)) return undefined
  return { until: now, ...NOT_REFUSED }
}

/** Resumes the queue for a person: one creation goes first. Pure. */
export function resumed(health: Health, now: number): Healthier | undefined {
  const { until } = health
  const isOver = until === undefined || (until !== "ever" && until <= now)
  return isOver ? undefined : { until: now, ...NOT_REFUSED }
}

/** The pause as people see it; undefined where nothing is held up. */
export function pauseOf({ reason, since, until }: Health): Pause | undefined {
  if (reason === undefined || until === undefined) return undefined
  return { reason, since: since ?? 0, ...(until === "ever" ? {} : { until }) }
}

/** Health of the queues, in Redis. */
export class HealthStore {
  readonly #store: Store

  constructor(store: Store) {
    this.#store = store
  }

  async read(queue: string): Promise<{ health: Health; now: number }> {
    const { now, hash } = await read(this.#store, { record: queueKeys(queue).pause })
    return { now, health: parseRecord(healthShape, `pause of ${queue}`, hash) }
  }

  /** Decides on the present state and writes the decision. Resolves to whether anything was written. */
  async change(
    queue: string,
    decide: (health: Health, now: number) => Healthier | undefined,
  ): Promise<boolean> {
    const record = queueKeys(queue).pause
    for (let tries = 0; tries < 20; tries += 1) {
      const { health, now } = await this.read(queue)
      const change = decide(health, now)
      if (!change) return false
      const written = await commit(this.#store, {
        record,
        rev: health.rev,
        set: change,
        ops: [
          { do: "tell", what: `dispatch:${queue}` },
          { do: "tell", what: "troubles" },
        ],
      })
      if (written === "done") return true
    }
    throw new Error(`The pause of ${queue} changes faster than it can be written. Try again.`)
  }
}
