import type { FigureName } from "./question.ts"
import type { Range } from "./range.ts"
import type { WalkEnd } from "./walk.ts"

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
interface ReadPage {
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
  /**
   * True when the progress was not shown for `gapMs`; then false for everybody until that time is
   * over.
   */
  mayShow(claimed: ClaimedExport, gapMs: number): Promise<boolean>
  /** This recipient has it, or cannot have it. */
  served(claimed: ClaimedExport, user: string): Promise<void>
  /** Forgets it, unless somebody joined meanwhile: then it stays due. */
  finish(claimed: ClaimedExport): Promise<void>
  /** The file, chunk by chunk. */
  content(id: string): AsyncIterable<string>
}
