import { ApiError } from "../web-api/method.ts"
import { newId } from "../workspace/ids.ts"

/** Rules of one kind of id, with the error codes of its refusals. */
interface Kind {
  readonly lifetimeMs: number
  readonly uses: number
  readonly codes: { readonly unknown: string; readonly expired: string; readonly used: string }
  readonly status: number
}

/** Time in ms that ids are kept after expiring, to tell late use from an unknown id. */
const KEPT_MS = 3_600_000

function createIds<Holder>({ lifetimeMs, uses, codes, status }: Kind, now: () => number) {
  const entries = new Map<string, { holder: Holder; expiresAt: number; uses: number }>()
  const refused = (code: string) => new ApiError(code, {}, { status })
  return {
    issue(id: string, holder: Holder): string {
      // In order of creation, so that long runs stay small.
      for (const [old, { expiresAt }] of entries) {
        if (expiresAt + KEPT_MS >= now()) break
        entries.delete(old)
      }
      entries.set(id, { holder, expiresAt: now() + lifetimeMs, uses: 0 })
      return id
    },
    /** Uses an id and returns its holder. @throws ApiError with one of the kind's codes. */
    use: (id: string): Holder => {
      const entry = entries.get(id)
      if (entry === undefined) throw refused(codes.unknown)
      if (entry.uses >= uses) throw refused(codes.used)
      if (now() >= entry.expiresAt) throw refused(codes.expired)
      entry.uses += 1
      return entry.holder
    },
  }
}

/** Creates the trigger ids of people's interactions, each of which opens one view. */
export function createTriggers(now: () => number) {
  const codes = {
    unknown: "invalid_trigger_id",
    expired: "expired_trigger_id",
    used: "exchanged_trigger_id",
  }
  const ids = createIds<string>({ lifetimeMs: 3_000, uses: 1, codes, status: 200 }, now)
  return {
    create: (user: string) =>
      ids.issue(`${newId("", 13)}.${newId("", 12)}.${newId("", 16).toLowerCase()}`, user),
    use: ids.use,
  }
}

export interface ResponseTarget {
  readonly channel: string
  readonly user: string
  readonly message: { readonly ts: string; readonly ephemeral: boolean } | undefined
}

/** Creates response URLs, for five messages within 30 minutes; `root` is this server's address. */
export function createResponseUrls(root: () => string, now: () => number) {
  const codes = { unknown: "invalid_url", expired: "expired_url", used: "used_url" }
  const kind = { lifetimeMs: 30 * 60_000, uses: 5, codes, status: 404 }
  const ids = createIds<ResponseTarget>(kind, now)
  return {
    create: (target: ResponseTarget) => `${root()}/response/${ids.issue(newId("", 24), target)}`,
    use: ids.use,
  }
}
