import { ApiError } from "../web-api/api-error.ts"
import { newId } from "../workspace/ids.ts"

/** Time in ms after an interaction within which its trigger id opens one view. */
const LIFETIME_MS = 3_000

interface Trigger {
  readonly user: string
  readonly expiresAt: number
  used: boolean
}

export function createTriggers(now: () => number) {
  const triggers = new Map<string, Trigger>()
  return {
    create(user: string): string {
      forgetOld(triggers, now())
      const id = `${newId("", 13)}.${newId("", 12)}.${newId("", 16).toLowerCase()}`
      triggers.set(id, { user, expiresAt: now() + LIFETIME_MS, used: false })
      return id
    },
    /**
     * Uses a trigger and returns its person.
     * @throws ApiError `invalid_trigger_id`, `expired_trigger_id` or `exchanged_trigger_id`.
     */
    use(id: string): string {
      const trigger = triggers.get(id)
      if (trigger === undefined) throw new ApiError("invalid_trigger_id")
      if (trigger.used) throw new ApiError("exchanged_trigger_id")
      if (now() >= trigger.expiresAt) throw new ApiError("expired_trigger_id")
      trigger.used = true
      return trigger.user
    },
  }
}

/** Time in ms that entries are kept after expiring, to tell late use from an unknown id. */
const KEPT_MS = 3_600_000

/** Deletes long-expired entries from a map in order of creation, so that long runs stay small. */
export function forgetOld(entries: Map<string, { readonly expiresAt: number }>, now: number): void {
  for (const [id, { expiresAt }] of entries) {
    if (expiresAt + KEPT_MS >= now) return
    entries.delete(id)
  }
}
