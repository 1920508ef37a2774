import type { DocsApi } from "../../ports/docs-api.ts"
import type { Reader } from "../reading-ports.ts"
import type { Gap, GapOperation, GapQuestion } from "./report.ts"

type Read<K extends keyof DocsApi> = DocsApi[K] extends (
  project: string,
  query: infer Query,
) => infer Answer
  ? (query: Query) => Answer
  : never

/**
 * Requests of the hour that are set aside for one look at a project's gaps: either all of them are there
 * or nothing is begun. Each reading takes one; none is repeated.
 */
export interface GapRequests {
  visitors: Read<"visitors">
  assistant: Read<"assistant">
  searches: Read<"searches">
  thumbs: Read<"thumbs">
  left(): number
  /** What was not needed goes back to the hour. */
  close(): Promise<void>
}

/** Throws DocsError: `rate_limited`, with the time until there is room, when there are not so many. */
export type OpenGapRequests = (
  reader: Reader,
  project: string,
  count: number,
) => Promise<GapRequests>

/** What a deployment was found to lack; remembered for a day. */
export interface Absences {
  of(project: string): Promise<ReadonlySet<GapOperation>>
  remember(project: string, operation: GapOperation): Promise<void>
}

/** Gaps as they were shown, so that buttons need to carry an opaque id only. */
export interface ShownGaps {
  /** The one who sees them, or the channel in which everybody does. */
  to: { user: string } | { channel: string }
  question: GapQuestion
  gaps: Gap[]
}

export interface ShownGapsStore {
  save(shown: ShownGaps): Promise<string>
  load(id: string): Promise<ShownGaps | undefined>
}
