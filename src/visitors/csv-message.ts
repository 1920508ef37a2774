import { line } from "../messages/blocks.ts"
import { anAdmin, clockTime, counted, foreignLine, upperFirst } from "../messages/mrkdwn.ts"
import type { PostRefusal } from "../messages/refusals.ts"
import type { Message } from "../slack/message.ts"
import { rangeTitle } from "./range-words.ts"
import type { ExportEnd } from "./read-export.ts"
import type { Missing } from "./report.ts"
import { reason } from "./report-notices.ts"
import type { Selection } from "./selection.ts"

export const CSV_STARTED = line("I'll DM you the CSV.")

export const CSV_ON_ITS_WAY = line("That CSV is already on its way to your DMs.")

export function csvProgress(project: string, selection: Selection, rows: number): Message {
  const soFar = rows === 0 ? "" : `${counted(rows, "page")} so far`
  return line(`*Preparing the CSV* · ${about(project, selection, soFar)}`)
}

/**
 * Announces the file. Never presents a part as the whole.
 * @param restAt time in ms when the hour allows more pages, if it stopped the export
 */
export function csvDone(
  project: string,
  selection: Selection,
  { rows, end, restAt }: { rows: number; end: ExportEnd; restAt: number },
): Message {
  const notes: Record<ExportEnd, string> = {
    complete: "",
    doubtful: "\nSome pages may be missing.",
    cut: "\n250,000 pages is the maximum.",
    stopped: `\nThe export stopped at the hourly analytics limit. For more pages, get the CSV again around ${clockTime(restAt)}.`,
  }
  const state = end === "complete" || end === "doubtful" ? "ready" : "incomplete"
  return line(`*CSV ${state}* · ${about(project, selection, counted(rows, "page"))}${notes[end]}`)
}

export function csvFailed(project: string, selection: Selection, why: Missing): Message {
  return line(`*CSV failed* · ${about(project, selection)}\n${upperFirst(reason(why))}.`)
}

export function csvUnsent({ code, verdict }: PostRefusal, admins: readonly string[]): Message {
  if (code === "missing_scope")
    return line(
      `*Couldn't send the CSV*: I need the \`files:write\` permission. Ask ${anAdmin(admins)} to add it.`,
    )
  const next =
    verdict === "give_up"
      ? `Try again. If it keeps happening, tell ${anAdmin(admins)}`
      : "Wait a minute, then get the CSV again"
  return line(`*Couldn't send the CSV* (\`${foreignLine(code, 60)}\`). ${next}.`)
}

function about(project: string, { range, filter }: Selection, size = ""): string {
  const below = filter === undefined ? "" : ` under ${foreignLine(filter, 60)}`
  const what = `Docs visitors${below}, ${rangeTitle(range)}`
  return [what, size, foreignLine(project, 60)].filter(Boolean).join(" · ")
}
