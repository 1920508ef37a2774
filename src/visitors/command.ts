import { nearest } from "../text/near.ts"
import type { Watched } from "./alerts.ts"
import type { Day } from "./day.ts"
import { every, type Rhythm } from "./digest.ts"
import { DEFAULT_RANGE, isFault, parseRange, type Range, type RangeFault } from "./range.ts"
import type { Question } from "./report.ts"

/** A parsed `/docs-visitors` command. */
export type VisitorsCommand =
  | { kind: "report"; question: Question }
  | { kind: "gaps"; project: string; range: Range }
  | { kind: "alert"; turn: "on" | "off"; watched: Watched }
  | { kind: "subscribe"; rhythm: Rhythm }
  | { kind: "unsubscribe"; every: Rhythm["every"] | undefined }
  | { kind: "help" | "subscriptions" | "alert_list" }
  | { kind: "fault"; fault: CommandFault }

export interface CommandFault {
  kind: RangeFault["kind"] | "long_filter" | "schedule" | "alert"
  /** The words that the parser did not understand. */
  words: string
  /** The command that the person may have meant, as they would type it. */
  meant?: string
}

/** The longest path filter, code points; page paths are rarely longer. */
export const MAX_FILTER = 200
/** The local time of a digest if the command names none. */
const DEFAULT_TIME = { hour: 9, minute: 0 }
const VERBS = ["gaps", "subscribe", "unsubscribe", "subscriptions", "alert", "help"]

/** Parses the text after the command. An empty text asks for the default range. */
export function parseCommand(text: string, project: string, today: Day): VisitorsCommand {
  const words = text.trim().split(/\s+/)
  const [verb = "", ...rest] = words.map((word) => word.toLowerCase())
  if ((verb === "help" || verb === "subscriptions") && rest.length === 0) return { kind: verb }
  if (verb === "gaps") return parseGaps(rest.join(" "), project, today)
  if (verb === "alert" || verb === "alerts") return parseAlert(words.slice(1))
  if (verb === "subscribe") return parseSubscribe(rest)
  if (verb === "unsubscribe") return parseUnsubscribe(rest)
  const command = parseReport(words, project, today)
  const meant = command.kind === "fault" ? nearest(verb, VERBS) : undefined
  return meant && command.kind === "fault" && !command.fault.meant
    ? faultOf({ ...command.fault, meant: [meant, ...words.slice(1)].join(" ") })
    : command
}

/** Parses `[range] [/path]` or `/path [range]`. Everything from the path on that is no range belongs to the path. */
function parseReport(words: readonly string[], project: string, today: Day): VisitorsCommand {
  const start = words.findIndex((word) => word.startsWith("/"))
  const before = start < 0 ? words : words.slice(0, start)
  const behind = start < 0 ? [] : words.slice(start)
  const tail = before.length === 0 ? rangeBehind(behind, today) : 0
  const rangeWords = tail > 0 ? behind.slice(-tail) : before
  const filter = behind.slice(0, behind.length - tail).join(" ")
  const range = parseRange(rangeWords.join(" ") || DEFAULT_RANGE, today)
  if (isFault(range)) {
    const meant = range.meant && [range.meant, filter].join(" ").trim()
    return faultOf({ ...range, ...(meant ? { meant } : {}) })
  }
  if (Array.from(filter).length > MAX_FILTER) return faultOf({ kind: "long_filter", words: filter })
  return {
    kind: "report",
    question: { project, range, page: 1, ...(filter ? { filter } : {}) },
  }
}

/** Counts the words of a range after a path; at least one word remains as the path. */
function rangeBehind(words: readonly string[], today: Day): number {
  const isRange = (length: number) =>
    words.length > length && !isFault(parseRange(words.slice(-length).join(" "), today))
  return [3, 2, 1].find(isRange) ?? 0
}

function parseGaps(words: string, project: string, today: Day): VisitorsCommand {
  const range = parseRange(words || DEFAULT_RANGE, today)
  if (!isFault(range)) return { kind: "gaps", project, range }
  return faultOf({ ...range, ...(range.meant ? { meant: `gaps ${range.meant}` } : {}) })
}

/** Parses `on|off [people|ai] [/path]` or `list`. A path may contain spaces. */
function parseAlert(words: readonly string[]): VisitorsCommand {
  const [turn = "", ...rest] = words
  const what = turn.toLowerCase()
  if (what === "list" && rest.length === 0) return { kind: "alert_list" }
  const of = { people: "human", ai: "ai" } as const
  const [first = "", ...more] = rest
  const kind = first.toLowerCase()
  const hasKind = kind === "people" || kind === "ai"
  const filter = (hasKind ? more : rest).join(" ")
  const isPath = filter === "" || (filter.startsWith("/") && filter.length <= MAX_FILTER)
  if ((what !== "on" && what !== "off") || !isPath)
    return faultOf({ kind: "alert", words: words.join(" ") })
  const watched = { ...(hasKind ? { of: of[kind] } : {}), ...(filter ? { filter } : {}) }
  return { kind: "alert", turn: what, watched }
}

function parseSubscribe(words: readonly string[]): VisitorsCommand {
  const [rhythm, ...rest] = words
  const [time, ...more] = rest[0] === "at" ? rest.slice(1) : rest
  const named = every.find((name) => name === rhythm)
  const at = rest.length === 0 ? DEFAULT_TIME : timeOf(time ?? "")
  if (named && at && more.length === 0)
    return { kind: "subscribe", rhythm: { every: named, ...at } }
  const near = nearest(rhythm ?? "", every)
  const meant = near && { meant: ["subscribe", near, ...rest].join(" ") }
  return faultOf({ kind: "schedule", words: words.join(" "), ...meant })
}

function parseUnsubscribe(words: readonly string[]): VisitorsCommand {
  const named = every.find((name) => name === words[0])
  const isKnown = words.length === 0 || (words.length === 1 && named !== undefined)
  return isKnown
    ? { kind: "unsubscribe", every: named }
    : faultOf({ kind: "schedule", words: words.join(" ") })
}

/** Parses `9:05` or `09:05`. */
function timeOf(text: string): { hour: number; minute: number } | undefined {
  const found = /^(\d{1,2}):(\d{2})$/.exec(text)
  const [hour, minute] = [Number(found?.[1]), Number(found?.[2])]
  return hour < 24 && minute < 60 ? { hour, minute } : undefined
}

function faultOf(fault: CommandFault): VisitorsCommand {
  return { kind: "fault", fault }
}
