import type { Day } from "../day.ts"
import type { Question } from "../question.ts"
import type { Story } from "./story.ts"

/** People and AI are watched apart. */
export const watchedKinds = ["human", "ai"] as const
export type WatchedKind = (typeof watchedKinds)[number]

/** One thing that a channel wants to hear of. */
export interface Watch {
  id: string
  project: string
  of: WatchedKind
  /** Pages that are watched; absent: the whole site. */
  filter?: string
  /** Who turned it on. */
  user: string
  /** The first day that is judged. */
  from: Day
}

/** How far a watch has come. */
export interface Watched {
  judged: Day
  story?: Story | undefined
}

export interface ChannelAlerts {
  team: string
  channel: string
  watches: Watch[]
  /** By the watch's id. */
  state: Readonly<Record<string, Watched>>
  /** The record it was read from, to notice when somebody else changes it; empty: there was none. */
  asRead: string
}

export interface ClaimedAlerts {
  alerts: ChannelAlerts
  lease: string
  /** When it was claimed, ms. */
  at: number
  /** A post about these very days was begun, and nobody wrote down how it ended. */
  unsure: boolean
  tries: number
}

/** Alerts of channels, durable. People change the watches, and a pass the state; neither waits. */
export interface AlertStore {
  of(team: string, channel: string): Promise<ChannelAlerts | undefined>
  /**
   * Puts other watches in the place of those that were read; none at all ends the alerts.
   * @param dueAt the first look, where there was no watch before, ms
   * @returns false when somebody else changed them meanwhile
   */
  change(before: ChannelAlerts, watches: readonly Watch[], dueAt: number): Promise<boolean>
  claim(leaseMs: number): Promise<ClaimedAlerts | undefined>
  nextDue(): Promise<number | undefined>
  /** Written down before the post. False: turned off, or the lease is lost. */
  posting(claimed: ClaimedAlerts): Promise<boolean>
  settle(claimed: ClaimedAlerts, outcome: AlertOutcome): Promise<void>
  /** Ends the alerts of a channel for good. */
  end(claimed: ClaimedAlerts): Promise<void>
}

/** The days are dealt with; or they are looked at again, and `unsure`: they may have been posted. */
type AlertOutcome =
  | { state: ChannelAlerts["state"]; dueAt: number }
  | { againMs: number; unsure: boolean }

/** Visitors of one day, as they were last read. */
export interface DayCount {
  human: number
  ai: number
  /** When, ms. */
  at: number
  /** They do not change any more. */
  isSure: boolean
}

/** What is counted: a project's site, or some of its pages. */
export type Counted = Pick<Watch, "project" | "filter">

/** Closed days that were read, kept as long as later days are held against them. */
export interface DayBook {
  of(counted: Counted, days: readonly Day[]): Promise<ReadonlyMap<Day, DayCount>>
  save(counted: Counted, day: Day, count: DayCount): Promise<void>
}

/** The report that a message's button opens, for everybody in its channel. */
export interface LinkedReport {
  channel: string
  question: Question
}

export interface LinkedReports {
  save(linked: LinkedReport): Promise<string>
  load(id: string): Promise<LinkedReport | undefined>
}
