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

/** Slack takes other messages for one person in a channel, for a whole channel and in direct messages. */
export type PostKind = "ephemeral" | "channel" | "direct"

/** How rich a message of each kind each workspace took last, for a day. */
export interface FallbackMemory {
  of(posts: { team: string; kind: PostKind }): Promise<FallbackLevel | undefined>
  remember(posts: { team: string; kind: PostKind }, level: FallbackLevel): Promise<void>
}
