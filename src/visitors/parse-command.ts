import { pathOf } from "../docs-service/reader-signals.ts"
import { defined } from "../lib/json.ts"
import type { Day } from "../lib/time.ts"
import { isFault, parseRange, type RangeFault } from "./parse-range.ts"
import { DEFAULT_RANGE, type Range, type Selection } from "./range.ts"
import { type Rhythm, rhythms, type SubscriptionKind, type Watched } from "./scheduled-posts.ts"
import { isPath, suggestCommand } from "./suggest-command.ts"

export type VisitorsCommand =
  | { kind: "report"; selection: Selection }
  | { kind: "gaps"; project: string; range: Range }
  | { kind: "help" }
  | SubscriptionWish
  | { kind: "off"; what: SubscriptionKind; named: Named }
  | { kind: "list"; what: SubscriptionKind }
  | CommandFault

/** Subscription that somebody wants to turn on. */
export type SubscriptionWish =
  | { kind: "subscribe"; rhythm: Rhythm }
  | { kind: "alert"; watched: Watched }
  | { kind: "feedback" }

/** Facts by which people name what they turn off. */
export type Named = Watched & { every?: Rhythm["every"] | undefined }

export interface CommandFault {
  kind: RangeFault["kind"] | "long_filter"
  words: string
  /** Command that was typed; a report if absent. */
  of?: "gaps" | "subscribe" | "alert" | "feedback"
  /** Closest valid wording, to suggest. */
  meant?: string
}

/** Maximum length of a path filter, in code points; page paths are rarely longer. */
export const MAX_FILTER = 200
/** Local hour of a digest that was subscribed to without a time. */
const DEFAULT_HOUR = "9"
const OF = { people: "human", ai: "ai" } as const

export function parseCommand(text: string, project: string, today: Day): VisitorsCommand {
  const understand = (words: string) => understood(words.split(/\s+/), project, today)
  const typed = text.trim()
  const command = understand(typed)
  if (command.kind !== "unknown") return command
  const isCommand = (words: string) => !isCommandFault(understand(words))
  return { ...command, ...defined({ meant: suggestCommand(typed, today, isCommand) }) }
}

export function isCommandFault(command: VisitorsCommand): command is CommandFault {
  return "words" in command
}

function understood(words: readonly string[], project: string, today: Day): VisitorsCommand {
  const [verb = "", ...rest] = words.map((word) => word.toLowerCase())
  if (verb === "help" && rest.length === 0) return { kind: verb }
  if (verb === "subscriptions" && rest.length === 0) return { kind: "list", what: "digest" }
  if (verb === "gaps") return parseGaps(rest.join(" "), project, today)
  if (verb === "alerts" && rest.length === 0) return { kind: "list", what: "alert" }
  if (verb === "alert" || verb === "alerts") return parseAlert(words.slice(1).join(" "))
  if (verb === "feedback") return parseFeedback(rest.join(" "))
  if (verb === "subscribe") return parseSubscribe(rest)
  if (verb === "unsubscribe") return parseUnsubscribe(rest.join(" "))
  return parseReport(words, project, today)
}

/** Parses `[range] [/path]` or `/path [range]`; any other words after the path belong to it. */
function parseReport(words: readonly string[], project: string, today: Day): VisitorsCommand {
  const start = words.findIndex(isPath)
  const before = start < 0 ? words : words.slice(0, start)
  const behind = start < 0 ? [] : words.slice(start)
  const tail = before.length === 0 ? rangeBehind(behind, today) : 0
  const rangeWords = tail > 0 ? behind.slice(-tail) : before
  const typed = behind.slice(0, behind.length - tail).join(" ")
  // Would find nothing: a path covers what begins with it, and a report has one.
  if (typed.endsWith("*") || behind.slice(1).some(isPath))
    return { kind: "unknown", words: words.join(" ") }
  const filter = typed && pathOf(typed)
  const range = parseRange(rangeWords.join(" ").trim() || DEFAULT_RANGE, today)
  if (isFault(range)) return range
  if (Array.from(filter).length > MAX_FILTER) return { kind: "long_filter", words: filter }
  const selection = { project, range, page: 1, ...defined({ filter: filter || undefined }) }
  return { kind: "report", selection }
}

/** Counts the words of a range after a path; at least one word remains as the path. */
function rangeBehind(words: readonly string[], today: Day): number {
  const isRange = (length: number) =>
    words.length > length && !isFault(parseRange(words.slice(-length).join(" "), today))
  return [7, 6, 5, 4, 3, 2, 1].find(isRange) ?? 0
}

function parseGaps(words: string, project: string, today: Day): VisitorsCommand {
  const range = parseRange(words || DEFAULT_RANGE, today)
  return isFault(range) ? { ...range, of: "gaps" } : { kind: "gaps", project, range }
}

function parseAlert(words: string): VisitorsCommand {
  const [, turn, before, filter, kind = before] =
    /^(on|off|list)(?: (people|ai))?(?: ((?:https?:\/)?\/.*?)(?: (people|ai))?)?$/i.exec(words) ??
    []
  if (turn === undefined || filter?.endsWith("*") || Array.from(filter ?? "").length > MAX_FILTER)
    return { kind: "unknown", of: "alert", words }
  if (turn.toLowerCase() === "list") return { kind: "list", what: "alert" }
  const of = kind && OF[kind.toLowerCase() as keyof typeof OF]
  const watched = defined({ of: of || undefined, filter: filter && pathOf(filter) })
  const isOn = turn.toLowerCase() === "on"
  return isOn ? { kind: "alert", watched } : { kind: "off", what: "alert", named: watched }
}

function parseFeedback(words: string): VisitorsCommand {
  if (words === "" || words === "list") return { kind: "list", what: "feedback" }
  if (words === "on") return { kind: "feedback" }
  if (words === "off") return { kind: "off", what: "feedback", named: {} }
  return { kind: "unknown", of: "feedback", words }
}

/** Parses `daily|weekly|monthly [[at] 9:05]`, the time also as `9 am` or `9:05 PM`. */
function parseSubscribe(words: readonly string[]): VisitorsCommand {
  const text = words.join(" ")
  const [, name, hour = DEFAULT_HOUR, minute = "0", half] =
    /^(\w+)(?:(?: at)? (\d{1,2})(?::(\d{2}))?(?: ?([ap])m)?)?$/.exec(text) ?? []
  const named = rhythms.find((one) => one === name)
  const typed = { hour: Number(hour), minute: Number(minute) }
  const at = half ? { ...typed, hour: (typed.hour % 12) + (half === "p" ? 12 : 0) } : typed
  if (named && typed.hour < (half ? 13 : 24) && at.minute < 60)
    return { kind: "subscribe", rhythm: { every: named, ...at } }
  return { kind: "unknown", of: "subscribe", words: text }
}

function parseUnsubscribe(words: string): VisitorsCommand {
  const named = rhythms.find((name) => name === words)
  return words === "" || named
    ? { kind: "off", what: "digest", named: { every: named } }
    : { kind: "unknown", of: "subscribe", words }
}
