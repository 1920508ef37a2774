import { type AlertCommand, parseAlert } from "../../visitors/alerts/parse-alert.ts"
import type { Day } from "../../visitors/day.ts"
import { every, type Rhythm } from "../../visitors/digests/rhythm.ts"
import type { GapQuestion } from "../../visitors/gaps/report.ts"
import {
  isQuestionFault,
  parseQuestion,
  type Question,
  type QuestionFault,
} from "../../visitors/question.ts"

/** What somebody wants of `/docs-visitors`. */
export type VisitorsCommand =
  | { kind: "ask"; question: Question }
  | { kind: "help" }
  | { kind: "gaps"; question: GapQuestion }
  | { kind: "alert"; command: AlertCommand }
  | { kind: "alert_fault"; words: string }
  | { kind: "subscribe"; rhythm: Rhythm }
  | { kind: "unsubscribe"; every: Rhythm["every"] | undefined }
  | { kind: "subscriptions" }
  | { kind: "fault"; fault: QuestionFault }
  | { kind: "schedule_fault"; words: string }
  /** Gaps with a digest that has none. */
  | { kind: "gaps_schedule_fault" }

/** Local time of a digest that names none. */
const DEFAULT_TIME = { hour: 9, minute: 0 }

/** The text behind the command → what is wanted. An empty text asks for the default range. */
export function parseCommand(text: string, project: string, today: Day): VisitorsCommand {
  const [verb = "", ...rest] = text.trim().toLowerCase().split(/\s+/)
  if (verb === "help" && rest.length === 0) return { kind: "help" }
  if (verb === "subscriptions" && rest.length === 0) return { kind: "subscriptions" }
  if (verb === "gaps") return parseGaps(text.trim().slice(verb.length), project, today)
  if (verb === "alert" || verb === "alerts") return parseAlerts(text.trim().slice(verb.length))
  if (verb === "subscribe") return parseSubscribe(rest)
  if (verb === "unsubscribe") return parseUnsubscribe(rest)
  const question = parseQuestion(text, project, today)
  return isQuestionFault(question) ? { kind: "fault", fault: question } : { kind: "ask", question }
}

/** `[range] [path]`, as for the visitors. */
function parseGaps(text: string, project: string, today: Day): VisitorsCommand {
  const question = parseQuestion(text, project, today)
  if (isQuestionFault(question)) return { kind: "fault", fault: question }
  const { range, filter } = question
  return { kind: "gaps", question: { project, range, ...(filter ? { filter } : {}) } }
}

function parseAlerts(text: string): VisitorsCommand {
  const command = parseAlert(text)
  return command ? { kind: "alert", command } : { kind: "alert_fault", words: text.trim() }
}

function parseSubscribe(words: string[]): VisitorsCommand {
  const fault = { kind: "schedule_fault", words: words.join(" ") } as const
  const [rhythm, ...rest] = words.filter((word) => word !== "gaps")
  const gaps = words.includes("gaps") ? { gaps: true as const } : {}
  const [time, ...more] = rest[0] === "at" ? rest.slice(1) : rest
  const named = every.find((name) => name === rhythm)
  const at = time === undefined && rest.length === 0 ? DEFAULT_TIME : parseTime(time ?? "")
  if (named === undefined || at === undefined || more.length > 0) return fault
  if (gaps.gaps && named !== "weekly") return { kind: "gaps_schedule_fault" }
  return { kind: "subscribe", rhythm: { every: named, ...at, ...gaps } }
}

function parseUnsubscribe(words: string[]): VisitorsCommand {
  const named = every.find((name) => name === words[0])
  const known = words.length === 0 || (words.length === 1 && named !== undefined)
  return known
    ? { kind: "unsubscribe", every: named }
    : { kind: "schedule_fault", words: words.join(" ") }
}

/** `9:05`, `09:05`. */
function parseTime(text: string): { hour: number; minute: number } | undefined {
  const found = /^(\d{1,2}):(\d{2})$/.exec(text)
  if (!found) return undefined
  const hour = Number(found[1])
  const minute = Number(found[2])
  return hour < 24 && minute < 60 ? { hour, minute } : undefined
}
