import type { FallbackLevel } from "./fallback-level.ts"
import type { Question } from "./question.ts"

/** What a private report shows, so that its controls need to carry an opaque id only. */
export interface ShownReport {
  user: string
  question: Question
  view: "report" | "changes"
  /** Paths of the rows on the screen, in order. */
  paths: string[]
  /** Their readers; absent in what an earlier version wrote. */
  readers?: { human: number; ai: number }[]
}

export interface ShownReports {
  save(shown: ShownReport): Promise<string>
  load(id: string): Promise<ShownReport | undefined>
  /** True the first time: a second click does not share again. */
  claimShare(id: string): Promise<boolean>
  releaseShare(id: string): Promise<void>
}

/** Seen by one person for a while, by a channel, or in a direct message. */
export type Surface = "ephemeral" | "channel" | "direct"

/** How rich a message each workspace took last on each surface, for a day. */
export interface FallbackMemory {
  of(place: { team: string; surface: Surface }): Promise<FallbackLevel | undefined>
  remember(place: { team: string; surface: Surface }, level: FallbackLevel): Promise<void>
}
