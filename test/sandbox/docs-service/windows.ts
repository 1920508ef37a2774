import type { Project } from "./project.ts"
import type { Settings } from "./settings.ts"

/** Requests that have a limit of their own. */
export type LimitedKind = "create" | "message" | "analytics"

export interface WindowState {
  readonly limit: number
  readonly used: number
  readonly remaining: number
  /** Time in epoch ms when the next request is possible; undefined if one is possible now. */
  readonly freeAt: number | undefined
}

const HOUR_MS = 3_600_000

/**
 * Rolling windows of all limited requests: of the project, or of the organization, identified by
 * its key. A request counts until it is exactly an hour old.
 */
export class Windows {
  /** Times of the requests in each window. */
  readonly #uses = new Map<string, number[]>()

  state(kind: LimitedKind, project: Project, settings: Settings, now: number): WindowState {
    const uses = this.#of(kind, project).filter((at) => at > now - HOUR_MS)
    this.#uses.set(keyOf(kind, project), uses)
    // The limit can change at any time.
    const limit = LIMITS[kind](settings)
    const remaining = Math.max(0, limit - uses.length)
    const leaving = remaining > 0 ? undefined : uses.toSorted((a, b) => a - b)[uses.length - limit]
    const freeAt = leaving === undefined ? undefined : leaving + HOUR_MS
    return { limit, used: uses.length, remaining, freeAt }
  }

  add(kind: LimitedKind, project: Project, now: number, uses = 1): void {
    const before = this.#of(kind, project)
    this.#uses.set(keyOf(kind, project), [...before, ...Array.from({ length: uses }, () => now)])
  }

  #of(kind: LimitedKind, project: Project): number[] {
    return this.#uses.get(keyOf(kind, project)) ?? []
  }
}

function keyOf(kind: LimitedKind, project: Project): string {
  return `${kind} ${kind === "create" || kind === "message" ? project.id : project.key}`
}

/** "100 uses per project and hour" for messages. */
const LIMITS: Record<LimitedKind, (settings: Settings) => number> = {
  create: (settings) => settings.creationsPerWindow,
  message: () => 100,
  analytics: (settings) => settings.analyticsPerWindow,
}
