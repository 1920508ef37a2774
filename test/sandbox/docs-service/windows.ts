import { failure, type Reply } from "../kit/reply.ts"
import type { Project } from "./project.ts"
import type { Settings } from "./settings.ts"
import type { State } from "./state.ts"

/** Requests that have a limit of their own. */
type LimitedKind = "create" | "message" | "analytics"

const HOUR_MS = 3_600_000

/** "100 uses per project and hour" for messages. */
const LIMITS: Record<LimitedKind, (settings: Settings) => number> = {
  create: (settings) => settings.creationsPerWindow,
  message: () => 100,
  analytics: (settings) => settings.analyticsPerWindow,
}

/**
 * Counts the request in the rolling hour of its project or, for analytics, of its organization,
 * identified by its key. A request counts until it is exactly an hour old. Returns the 429 of a full
 * hour, which doesn't count; the document doesn't specify its shape.
 */
export function admit(state: State, kind: LimitedKind, project: Project): Reply | undefined {
  const now = state.now()
  const key = `${kind} ${kind === "analytics" ? project.key : project.id}`
  const uses = (state.uses.get(key) ?? []).filter((at) => at > now - HOUR_MS)
  // The limit can change at any time.
  const limit = LIMITS[kind](state.settings)
  state.uses.set(key, uses)
  if (uses.length < limit) {
    uses.push(now)
    return undefined
  }
  const leaving = uses[uses.length - limit]
  const seconds = leaving === undefined ? 0 : Math.ceil((leaving + HOUR_MS - now) / 1000)
  const headers = { "retry-after": String(seconds) }
  return failure(429, `Over the limit of ${limit} requests`, undefined, headers)
}
