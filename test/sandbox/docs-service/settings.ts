import type { FeedbackEntry } from "./analytics/feedback.ts"
import type { OptionalOperation } from "./operations.ts"

/** Event planted in the data, which multiplies the usual visits on one day. */
export interface Plant {
  /** UTC day, `YYYY-MM-DD`. */
  readonly day: string
  /** Factor on the usual visits: 0 is an outage, 2 doubles them. */
  readonly factor: number
  /** Kind of visits that it affects; both by default. */
  readonly of?: "human" | "ai"
  /** Path prefix of the affected pages; all pages by default. */
  readonly path?: string
}

export interface Settings {
  /** Operations that this deployment lacks, with the status returned instead. */
  readonly absent: Readonly<Partial<Record<OptionalOperation, 403 | 404 | 405 | 501>>>
  readonly creationsPerWindow: number
  /** Limit of one organization across all analytics operations. */
  readonly analyticsPerWindow: number
  readonly visitors: {
    readonly pages: number
    /** Unusual paths, given to some of these pages. */
    readonly oddPaths: readonly string[]
    /** True for a new project without visitors. */
    readonly empty: boolean
    readonly plants: readonly Plant[]
  }
  readonly analytics: {
    /** Questions to the assistant on each day; 720 make 5,040 a week. */
    readonly conversationsPerDay: number
    /** Unit of "Click-through rate": the document doesn't say whether a quarter is 0.25 or 25. */
    readonly ctr: "fraction" | "percent"
    /** Feedback beside the usual, in every range. */
    readonly feedback: readonly FeedbackEntry[]
  }
}

/** Partial settings; `visitors` and `analytics` can be partial too. */
export interface SettingsChanges extends Partial<Omit<Settings, "visitors" | "analytics">> {
  readonly visitors?: Partial<Settings["visitors"]>
  readonly analytics?: Partial<Settings["analytics"]>
}

export const defaultSettings: Settings = {
  absent: {},
  creationsPerWindow: 100,
  analyticsPerWindow: 100,
  visitors: { pages: 180, oddPaths: [], empty: false, plants: [] },
  analytics: { conversationsPerDay: 40, ctr: "fraction", feedback: [] },
}

export function changed(settings: Settings, changes: SettingsChanges): Settings {
  const visitors = { ...settings.visitors, ...changes.visitors }
  const analytics = { ...settings.analytics, ...changes.analytics }
  return { ...settings, ...changes, visitors, analytics }
}
