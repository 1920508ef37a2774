import type { ReadExport } from "../../visitors/csv.ts"
import type { Missing, Question } from "../../visitors/report.ts"
import type { Message } from "../blocks.ts"
import { line } from "../blocks.ts"
import { clockTime, counted, foreignLine } from "../mrkdwn.ts"
import type { PostRefusal } from "../refusals.ts"
import { rangeTitle } from "./format.ts"
import { reason } from "./notices.ts"

export const CSV_STARTED = line("I'll DM you the CSV.")

export const CSV_ON_ITS_WAY = line("That CSV is already on its way to your DMs.")

export function csvProgress(project: string, question: Question, rows: number): Message {
  const progress = rows === 0 ? "" : `: ${counted(rows, "page")} so far`
  return line(`*Preparing the CSV* · ${title(project, question)}${progress}`)
}

/** Announces the file. Never presents a part as the whole. @param rows in the file */
export function csvDone(
  project: string,
  question: Question,
  rows: number,
  { end, restAt }: ReadExport,
): Message {
  const size = `${title(project, question)}: ${counted(rows, "page")}.`
  if (end === "complete") return line(size)
  if (restAt !== undefined)
    return line(
      `*Incomplete* · ${size} The hourly analytics limit has been reached; for all pages, get the CSV again around ${clockTime(restAt)}.`,
    )
  if (end === "cut") return line(`*Incomplete* · ${size} A CSV is limited to that.`)
  return line(`${size} Some pages may be missing.`)
}

export function csvFailed(project: string, question: Question, why: Missing): Message {
  return line(`*CSV failed* · ${title(project, question)}: ${reason(why)}.`)
}

export function csvUnsent({ code, verdict }: PostRefusal): Message {
  if (code === "missing_scope")
    return line(
      "*Couldn't send the CSV:* I need the `files:write` permission, which an admin can add.",
    )
  const next =
    verdict === "give_up"
      ? "Check that you haven't blocked me"
      : "Wait a minute, then get the CSV again"
  return line(`*Couldn't DM you the CSV* (\`${foreignLine(code, 60)}\`). ${next}.`)
}

function title(project: string, { range, filter }: Question): string {
  const below = filter === undefined ? "" : `, pages below ${foreignLine(filter, 60)}`
  return `${foreignLine(project, 60)} visitors, ${rangeTitle(range)}${below}`
}
