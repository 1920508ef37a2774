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
function forgetOld(entries: Map<string, { readonly expiresAt: number }>, now: number): void {
  for (const [id, { expiresAt }] of entries) {
    if (expiresAt + KEPT_MS >= now) return
    entries.delete(id)
  }
}

/** Maximum number of messages to a response URL, within 30 minutes. */
const USES = 5
const URL_LIFETIME_MS = 30 * 60_000

export interface ResponseTarget {
  readonly channel: string
  readonly user: string
  readonly message: { readonly ts: string; readonly ephemeral: boolean } | undefined
}

interface ResponseUrl {
  readonly target: ResponseTarget
  readonly expiresAt: number
  uses: number
}

/** Creates response URLs below `root`, this server's address, which is known once it listens. */
export function createResponseUrls(root: () => string, now: () => number) {
  const entries = new Map<string, ResponseUrl>()
  return {
    create(target: ResponseTarget): string {
      forgetOld(entries, now())
      const id = newId("", 24)
      entries.set(id, { target, expiresAt: now() + URL_LIFETIME_MS, uses: 0 })
      return `${root()}/response/${id}`
    },
    /** Uses a URL. @throws ApiError with status 404: `invalid_url`, `expired_url` or `used_url`. */
    use(id: string): ResponseTarget {
      const entry = entries.get(id)
      if (entry === undefined) throw gone("invalid_url")
      if (now() >= entry.expiresAt) throw gone("expired_url")
      if (entry.uses >= USES) throw gone("used_url")
      entry.uses += 1
      return entry.target
    },
  }
}

function gone(code: string): ApiError {
  return new ApiError(code, {}, { status: 404 })
}
