import type { DocsFault } from "../errors/docs-error.ts"
import type { DocsApi } from "../ports/docs-api.ts"
import type { FallbackLevel } from "./fallback-level.ts"
import type { FigureName, Question } from "./question.ts"
import type { Range } from "./range.ts"
import type { Reading } from "./report.ts"
import type { Rhythm } from "./rhythm.ts"
import type { WalkEnd } from "./walk.ts"

/** For whom something is read. What a person asks for and what their exports read is theirs. */
export type Reader = { kind: "person" | "export"; user: string } | { kind: "digest" | "doctor" }

/** A place in the hour. */
export interface Place {
  id: string
  reader: Reader
}

/**
 * The rolling hour of analytics requests that a service key has, shared by every process, by every
 * project with that key, and fairly by everybody: while others ask nobody has more than half of it,
 * digests have a part of their own, and exports take what is left.
 */
export interface AnalyticsHour {
  /**
   * Takes one place. `holdMs`: the longest time until the request reaches the service; the place is
   * held from then on, so that a slow network cannot push two hours together. `ownShare`: there is
   * room, and not for this reader.
   */
  take(
    project: string,
    reader: Reader,
    holdMs: number,
  ): Promise<{ place: Place } | { waitMs: number; ownShare: boolean }>
  /** The answer is here: the request reached the service by now. */
  settle(project: string, place: Place): Promise<void>
  /** The request certainly never left. */
  giveBack(project: string, place: Place): Promise<void>
  /** The service itself refused: nobody asks it for this long. */
  pause(project: string, ms: number): Promise<void>
  /** What this reader could take now, and in any hour. */
  room(project: string, reader: Reader): Promise<{ free: number; perHour: number }>
}

/** Makes one analytics request within the hour. Throws DocsError. */
export type LimitAnalytics = <T>(
  reader: Reader,
  project: string,
  request: () => Promise<T>,
) => Promise<T>

/** Reads one page of the export within the hour. Throws DocsError. */
export type ReadVisitors = (
  reader: Reader,
  ...query: Parameters<DocsApi["visitors"]>
) => ReturnType<DocsApi["visitors"]>

/** Whose turn it is to fetch something that several ask for at once. */
export type Turn<T> =
  | { kind: "known"; reading: Reading<T> }
  /** The one who fetched failed just now. */
  | { kind: "failed"; failure: Failure }
  /** This caller fetches; everybody else waits for it. */
  | { kind: "fetch" }
  | { kind: "wait" }

export interface Failure {
  fault: DocsFault
  retryAfterMs?: number
}

/** Readings shared by every process: a cache, and one fetch at a time for each key. */
export interface SharedReadings<T> {
  turn(key: string, token: string): Promise<Turn<T>>
  /** Keeps the turn of a fetch that takes several requests. */
  renew(key: string, token: string): Promise<void>
  finish(key: string, token: string, reading: Reading<T>, keepMs: number): Promise<void>
  /** Ends the turn; those who wait learn the failure, if it is one of the service. */
  fail(key: string, token: string, failure: Failure | undefined): Promise<void>
}

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

/** How many rows an export has, as far as known. */
export interface ExportSize {
  low: number
  high: number
}

export interface ExportRequest {
  team: string
  project: string
  range: Range
  filter?: string
  /** The order of the rows, as far as they are ranked; absent: by all visitors. */
  by?: FigureName
  size?: ExportSize
}

/** One CSV on its way: read page by page, then sent to everybody who asked for it. */
export interface CsvExport extends ExportRequest {
  id: string
  state: "reading" | "sending"
  /** Rows to skip for the next page. */
  offset: number
  /** Requests that brought a page. */
  pages: number
  /** Lines in the file, without the head. */
  rows: number
  bytes: number
  /** Rows that came again and were left out. */
  repeats: number
  /** Failed attempts in a row. */
  failures: number
  askedAt: number
  end?: WalkEnd
}

export interface Recipient {
  user: string
  /** Their direct conversation with the bot. */
  channel: string
  /** The message that shows the progress. */
  ts: string
}

export interface CsvLine {
  /** Tells pages apart without holding their paths. */
  key: string
  /** Empty when the filter leaves the page out. */
  text: string
}

/** One page of an export, as far as the file is concerned; it belongs at the export's `offset`. */
export interface ReadPage {
  nextOffset: number
  lines: readonly CsvLine[]
  /** Rows already left out because they came again. */
  repeats: number
  leaseMs: number
}

export interface ClaimedExport {
  export: CsvExport
  lease: string
}

/** Exports, durable. Every write of a worker needs its lease; without it nothing happens. */
export interface CsvExports {
  /** Begins an export, or joins the one for the same question that is on its way. */
  open(request: ExportRequest, recipient: Recipient): Promise<{ id: string; joined: boolean }>
  claim(leaseMs: number): Promise<ClaimedExport | undefined>
  /** Until the next one is due, ms; undefined when there is none. */
  nextDue(): Promise<number | undefined>
  /** Adds the lines whose key is new. @returns undefined when the lease is lost */
  append(
    claimed: ClaimedExport,
    page: ReadPage,
  ): Promise<{ claimed: ClaimedExport; fresh: number } | undefined>
  /** Nothing more is read; the file goes out, now. */
  close(claimed: ClaimedExport, end: WalkEnd): Promise<void>
  /** Lets go until later. @param failed counts as one more failure in a row */
  park(claimed: ClaimedExport, afterMs: number, failed: boolean): Promise<void>
  recipients(id: string): Promise<Recipient[]>
  /** True when the progress was not shown for `gapMs`; the next asker within that time hears no. */
  mayShow(claimed: ClaimedExport, gapMs: number): Promise<boolean>
  /** This recipient has it, or cannot have it. */
  served(claimed: ClaimedExport, user: string): Promise<void>
  /** Forgets it, unless somebody joined meanwhile: then it stays due. */
  finish(claimed: ClaimedExport): Promise<void>
  /** The file, chunk by chunk. */
  content(id: string): AsyncIterable<string>
}

/** A digest that comes to a channel again and again. */
export interface Subscription {
  team: string
  channel: string
  project: string
  /** Who subscribed. */
  user: string
  /** IANA name of their time zone at that time. */
  zone: string
  rhythm: Rhythm
  /** When the next one is due, ms. */
  dueAt: number
}

export interface ClaimedDigest {
  subscription: Subscription
  lease: string
  /** When it was claimed, ms. */
  at: number
  /** A post of this very digest was begun, and nobody wrote down how it ended. */
  unsure: boolean
  /** Which try of this very digest this is; 1 is the first. */
  tries: number
}

/** Digests, durable. One channel has at most one of each rhythm. */
export interface Subscriptions {
  save(subscription: Subscription): Promise<void>
  /** @returns what was removed */
  remove(team: string, channel: string, every: Rhythm["every"]): Promise<Subscription | undefined>
  ofChannel(team: string, channel: string): Promise<Subscription[]>
  claim(leaseMs: number): Promise<ClaimedDigest | undefined>
  nextDue(): Promise<number | undefined>
  /** Written down before the post. False: somebody unsubscribed, or the lease is lost. */
  posting(claimed: ClaimedDigest): Promise<boolean>
  settle(claimed: ClaimedDigest, outcome: DigestOutcome): Promise<void>
  /** Ends the subscription for good. */
  end(claimed: ClaimedDigest): Promise<void>
}

/** `dueAt`: this one is dealt with. `againMs`: it is tried again then; `unsure`: it may have been posted. */
export type DigestOutcome = { dueAt: number } | { againMs: number; unsure: boolean }
