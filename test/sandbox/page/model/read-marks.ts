import { useCallback, useState } from "preact/hooks"
import { compareTs } from "./model.ts"

/** How far each person has read, by `person:channel` or `person:channel:thread`, as a `ts`. */
export interface ReadMarks {
  readonly until: (me: string, channel: string, thread?: string) => string
  readonly mark: (me: string, channel: string, ts: string, thread?: string) => void
}

const KEY = "docs-agent-sandbox.read"

interface Stored {
  /** What was there before the first visit counts as read. */
  readonly since: string
  readonly marks: { readonly [place: string]: string }
}

/** @param now epoch ms, for the first visit */
export function useReadMarks(now: number): ReadMarks {
  const [stored, setStored] = useState(() => load(now))
  const until = useCallback(
    (me: string, channel: string, thread?: string) =>
      stored.marks[placeOf(me, channel, thread)] ?? stored.since,
    [stored],
  )
  const mark = useCallback((me: string, channel: string, ts: string, thread?: string) => {
    setStored((before) => {
      const place = placeOf(me, channel, thread)
      if (compareTs(before.marks[place] ?? before.since, ts) >= 0) return before
      const after = { ...before, marks: { ...before.marks, [place]: ts } }
      sessionStorage.setItem(KEY, JSON.stringify(after))
      return after
    })
  }, [])
  return { until, mark }
}

function placeOf(me: string, channel: string, thread: string | undefined): string {
  return thread === undefined ? `${me}:${channel}` : `${me}:${channel}:${thread}`
}

function load(now: number): Stored {
  // To the millisecond: what was said in the same second, before the page came, is not new.
  const since = `${(now / 1000).toFixed(3)}999`
  try {
    const known: unknown = JSON.parse(sessionStorage.getItem(KEY) ?? "null")
    if (isStored(known)) return known
  } catch {
    // Written by another version: begin anew.
  }
  return { since, marks: {} }
}

function isStored(value: unknown): value is Stored {
  return typeof value === "object" && value !== null && "since" in value && "marks" in value
}
