import { ApiError } from "../web-api/api-error.ts"
import { newId } from "../workspace/ids.ts"
import { forgetOld } from "./triggers.ts"

/** Maximum number of messages to a response URL, within 30 minutes. */
const USES = 5
const LIFETIME_MS = 30 * 60_000

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
      entries.set(id, { target, expiresAt: now() + LIFETIME_MS, uses: 0 })
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
