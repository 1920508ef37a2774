import { attempt } from "../asking/work-after-ack.ts"
import { DocsError, orDocsError } from "../docs-service/docs-error.ts"
import type { Context } from "../jobs/context.ts"
import { csvFile } from "../lib/csv-file.ts"
import { stopwatch } from "../lib/time.ts"
import { line } from "../messages/blocks.ts"
import { anAdmin, clockTime, counted, foreignLine, upperFirst } from "../messages/mrkdwn.ts"
import type { PostRefusal } from "../messages/refused-requests.ts"
import { tell } from "../slack/ephemeral.ts"
import type { Message } from "../slack/message-types.ts"
import { orSlackError, refusalOf, SlackError } from "../slack/slack-error.ts"
import { UPLOAD_MS } from "../slack/write-to-slack.ts"
import { currentTime } from "../store/script.ts"
import { type WaitingCsv, type WaitingCsvs, waitingCsvs } from "./csv-queue.ts"
import type { Range, Selection } from "./range.ts"
import { rank } from "./read-report.ts"
import { type ExportEnd, rowsBelow, type VisitorsContext, walk } from "./read-visitors.ts"
import { titleOf } from "./report-message.ts"
import { type Missing, missingOf, reason } from "./report-unavailable.ts"

/** Time in ms after which another worker may take over a CSV. */
const LEASE_MS = 60_000
/** Maximum CSVs at once per process: several, so that a long one does not delay the others. */
export const CSVS_AT_ONCE = 4
/** Interval in ms between two edits of the progress; Slack allows 50 a minute per workspace. */
const PROGRESS_MS = 10_000
/** Maximum requests of an export, 250 rows each: all are sorted in memory. */
const MAX_PAGES = 1000

const COLUMNS = ["path", "people", "ai", "total"]

/** Sends the most overdue CSV. Returns the wait until the next pass, in ms. */
export async function csvPass(visitors: VisitorsContext, stopping: AbortSignal): Promise<number> {
  const { context } = visitors
  const csvs = waitingCsvs(context.store, context.events.unreadable)
  const held = await csvs.claim(LEASE_MS)
  if (typeof held === "number") return held
  const send = () => sendCsv(visitors, csvs, held, stopping)
  // The message with the progress also reports a failure, and how long it takes.
  await attempt(context, held.value.asker, send, true)
  await csvs.write(held, { due: "never" })
  return 0
}

/**
 * Sends an export to the person's direct messages, because a report is private. If a worker stops
 * or dies, the next one continues with the pages read so far and the same progress message. If the
 * bot crashes while it sends the file, the person may get it twice.
 */
async function sendCsv(
  visitors: VisitorsContext,
  csvs: WaitingCsvs,
  held: WaitingCsv,
  stopping: AbortSignal,
): Promise<void> {
  const { context } = visitors
  const { outbound } = context.slack
  const { asker, selection } = held.value
  const name = context.settings.projects.nameOf(selection.project)
  const progress = await showStart(context, csvs, held)
  if (!progress) return
  let shown = stopwatch()
  const mayGoOn = async (rows: number) => {
    if (stopping.aborted) return false
    if (shown() <= PROGRESS_MS) return true
    if ((await csvs.renew(held, shown())) !== "done") return false
    shown = stopwatch()
    // A progress edit that Slack refuses is skipped; another message reports the end.
    await refusalOf(outbound.update(progress, csvProgress(name, selection, rows)))
    return true
  }
  const end = async (message: Message) => {
    if (await refusalOf(outbound.update(progress, message)))
      await refusalOf(outbound.direct(asker.user, message))
  }
  try {
    const read = await readExport(visitors, asker.user, selection, mayGoOn)
    // Keeps the CSV during the upload: another worker would send the file again.
    const kept = await (read ? csvs.renew(held, UPLOAD_MS) : csvs.write(held, { due: { inMs: 0 } }))
    if (kept === "gone") await end(CSV_CANCELLED)
    else if (read && kept === "done")
      await end(await upload(context, progress.channel, selection, read))
  } catch (error) {
    const isOfService = error instanceof DocsError
    const why = isOfService && missingOf(error, await currentTime(context.store))
    await end(csvFailed(name, selection, why || { fault: "unexpected" }))
    if (!isOfService) throw error
  }
}

/** Returns the message that shows the progress, posted unless it was; undefined if Slack refuses. */
async function showStart({ slack, settings }: Context, csvs: WaitingCsvs, held: WaitingCsv) {
  const { asker, selection, progress: known } = held.value
  if (known) return known
  const first = csvProgress(settings.projects.nameOf(selection.project), selection, 0)
  const progress = await slack.outbound.direct(asker.user, first).catch(orSlackError)
  if (progress instanceof SlackError) {
    await tell(slack, asker, csvUnsent(progress, settings.access.admins))
    return undefined
  }
  await csvs.write(held, { set: { progress } })
  // In the same conversation, the progress itself is in sight.
  if (progress.channel !== asker.channel) await tell(slack, asker, CSV_STARTED)
  return progress
}

async function upload(
  { slack, settings }: Context,
  channel: string,
  selection: Selection,
  read: NonNullable<Awaited<ReturnType<typeof readExport>>>,
): Promise<Message> {
  const name = settings.projects.nameOf(selection.project)
  const isPart = read.end === "cut" || read.end === "stopped"
  const stopped = `(incomplete: stopped after ${read.rows.length} pages)`
  const note = isPart ? stopped : read.end === "doubtful" && "(some pages may be missing)"
  const rows = rank(rowsBelow(read, selection.filter))
  const content = csvFile(COLUMNS, [
    ...rows.map(({ path, human, ai, total }) => [path, `${human}`, `${ai}`, `${total}`]),
    ...(note ? [[note, "", "", ""]] : []),
  ])
  const fileName = fileNameOf(name, selection.range, isPart)
  const refused = await refusalOf(slack.outbound.upload({ channel }, fileName, content))
  if (refused) return csvUnsent(refused, settings.access.admins)
  return csvDone(name, selection, { ...read, rows: rows.length })
}

/** Builds a name like `docs-visitors_site_2026-10-01_2026-10-31.csv`. */
export function fileNameOf(project: string, { from, to }: Range, isPart: boolean): string {
  const name = project.replaceAll(/[^A-Za-z0-9._-]+/g, "-").slice(0, 60)
  return `docs-visitors_${name}_${from}_${to}${isPart ? "_part" : ""}.csv`
}

/**
 * Reads as much as the hour allows; undefined if another worker continues.
 * @param mayGoOn gets the number of rows so far @throws DocsError
 */
async function readExport(
  { context, readings }: VisitorsContext,
  user: string,
  selection: Selection,
  mayGoOn: (rows: number) => Promise<boolean>,
) {
  // Time in ms when the hour allows the remaining pages, if it stopped the export.
  let restAt = 0
  const read = async (offset: number, rows: number) => {
    if (!(await mayGoOn(rows))) return undefined
    try {
      return (await readings.page({ ...selection, reader: user }, offset)).value
    } catch (error) {
      const { fault, retryAfterMs } = orDocsError(error)
      if ((fault !== "rate_limited" && fault !== "own_share") || rows === 0) throw error
      restAt = (await currentTime(context.store)) + (retryAfterMs ?? 0)
      return undefined
    }
  }
  const list = await walk(read, MAX_PAGES)
  const isHandedOn = list.end === "stopped" && restAt === 0
  return isHandedOn ? undefined : { ...list, restAt }
}

export const CSV_STARTED = line("I'll DM you the CSV.")

export const CSV_CANCELLED = line("*CSV cancelled*, because your data was deleted.")

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

function about(project: string, selection: Selection, size = ""): string {
  const what = foreignLine(titleOf("Docs visitors", selection), 150)
  return [what, size, foreignLine(project, 60)].filter(Boolean).join(" · ")
}
