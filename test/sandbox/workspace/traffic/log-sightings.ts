import { isObject, parseJson, stringIn } from "../../slack/json.ts"
import type { Sighting } from "./traffic-book.ts"

const TROUBLE: ReadonlySet<string> = new Set(["error", "fatal"])

/** One line of the bot's own log. */
export function logSighting(line: string, now: number): Sighting {
  const parsed = parseJson(line)
  const facts = isObject(parsed) ? parsed : { msg: line.trim() }
  const { level: _, time, msg: __, ...rest } = facts
  const level = stringIn(facts, "level") ?? "info"
  return {
    at: typeof time === "string" ? Date.parse(time) : now,
    lane: "bot_log",
    title: stringIn(facts, "msg") ?? "",
    detail: Object.keys(rest).length > 0 ? JSON.stringify(rest) : "",
    outcome: level,
    ok: !TROUBLE.has(level),
    payload: facts,
  }
}
