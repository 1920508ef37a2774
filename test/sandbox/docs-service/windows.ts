import type { Project } from "./project.ts"
import { type RollingWindow, RollingWindows, type WindowState } from "./rolling-window.ts"
import type { Settings } from "./settings.ts"

/** Requests that have a limit of their own. */
export type LimitedKind = "create" | "message" | "preview" | "analytics"

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

/**
 * Rolling windows of all limited requests: of the project, or of the organization, identified by
 * its key.
 */
export class Windows {
  readonly #windows: Record<LimitedKind, RollingWindows> = {
    create: new RollingWindows(HOUR_MS),
    message: new RollingWindows(HOUR_MS),
    analytics: new RollingWindows(HOUR_MS),
    preview: new RollingWindows(MINUTE_MS),
  }

  state(kind: LimitedKind, project: Project, settings: Settings, now: number): WindowState {
    return this.#of(kind, project).state(now, LIMITS[kind](settings))
  }

  add(kind: LimitedKind, project: Project, now: number, uses = 1): void {
    this.#of(kind, project).add(now, uses)
  }

  #of(kind: LimitedKind, project: Project): RollingWindow {
    const owner = kind === "create" || kind === "message" ? project.id : project.key
    return this.#windows[kind].of(owner)
  }
}

/** "100 uses per project and hour" for messages; "up to 5 requests per minute" for previews. */
const LIMITS: Record<LimitedKind, (settings: Settings) => number> = {
  create: (settings) => settings.creationsPerWindow,
  message: () => 100,
  preview: () => 5,
  analytics: (settings) => settings.analyticsPerWindow,
}
