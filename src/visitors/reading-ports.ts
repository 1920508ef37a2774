import type { DocsFault } from "../errors/docs-error.ts"
import type { DocsApi } from "../ports/docs-api.ts"
import type { Reading } from "./report.ts"

/** For whom something is read. What a person asks for and what their exports read is theirs. */
export type Reader = { kind: "person" | "export"; user: string } | { kind: "digest" | "doctor" }

/** A slot in the hour. */
export interface Slot {
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
   * Takes one slot. `holdMs`: the longest time until the request reaches the service; the slot is
   * held from then on, so that a slow network cannot push two hours together. `ownShare`: there is
   * room, and not for this reader.
   */
  take(
    project: string,
    reader: Reader,
    holdMs: number,
  ): Promise<{ slot: Slot } | { waitMs: number; ownShare: boolean }>
  /** The answer is here: the request reached the service by now. */
  settle(project: string, slot: Slot): Promise<void>
  /** The request certainly never left. */
  giveBack(project: string, slot: Slot): Promise<void>
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

/** Who fetches something that several ask for at once. */
type Lock<T> =
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
  lock(key: string, token: string): Promise<Lock<T>>
  /** Keeps the lock of a fetch that takes several requests. */
  renew(key: string, token: string): Promise<void>
  finish(key: string, token: string, reading: Reading<T>, keepMs: number): Promise<void>
  /** Ends the lock; those who wait learn the failure, if it is one of the service. */
  fail(key: string, token: string, failure: Failure | undefined): Promise<void>
}
