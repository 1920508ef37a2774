import type { Project } from "./project.ts"
import { type RollingWindow, RollingWindows, type WindowState } from "./rolling-window.ts"
import type { Settings } from "./settings.ts"

/** The requests that have a limit of their own. */
export type LimitedKind = "create" | "message" | "preview" | "analytics"

const MINUTE_MS = 60_000

/**
 * The rolling windows of all requests that have a limit: of the project, or of the organization,
 * which its key stands for.
 */
export class Windows {
  readonly #windows: Record<LimitedKind, RollingWindows>

  constructor(windowMs: number) {
    this.#windows = {
      create: new RollingWindows(windowMs),
      message: new RollingWindows(windowMs),
      analytics: new RollingWindows(windowMs),
      preview: new RollingWindows(MINUTE_MS),
    }
  }

  /** The window as it stands at `now`. */
  state(kind: LimitedKind, project: Project, settings: Settings, now: number): WindowState {
    return this.#of(kind, project, settings).state(
      now,
      LIMITS[this.#kindOf(kind, settings)](settings),
    )
  }

  add(kind: LimitedKind, project: Project, settings: Settings, now: number, uses = 1): void {
    this.#of(kind, project, settings).add(now, uses)
  }

  #of(kind: LimitedKind, project: Project, settings: Settings): RollingWindow {
    const owner = kind === "create" || kind === "message" ? project.id : project.key
    return this.#windows[this.#kindOf(kind, settings)].of(owner)
  }

  #kindOf(kind: LimitedKind, { messageHour }: Settings): LimitedKind {
    return kind === "message" && messageHour === "shared" ? "create" : kind
  }
}

const LIMITS: Record<LimitedKind, (settings: Settings) => number> = {
  create: (settings) => settings.creationsPerWindow,
  message: (settings) => settings.messagesPerWindow,
  preview: (settings) => settings.previewsPerMinute,
  analytics: (settings) => settings.analyticsPerWindow,
}
