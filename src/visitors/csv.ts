import { Readable } from "node:stream"
import { DocsError } from "../errors/docs-error.ts"
import { orSlackError, SlackError } from "../errors/slack-error.ts"
import type { Message } from "../messages/blocks.ts"
import * as messages from "../messages/visitors/csv.ts"
import { type Clock, stopwatch } from "../runtime/time.ts"
import type { Outbound } from "../slack/web-outbound.ts"
import { csvFileName, csvHead, csvRow } from "../text/csv-file.ts"
import type { Asker, Inquiry, Questions } from "./questions.ts"
import { type PageList, type Readings, walk } from "./readings.ts"
import { type Missing, missingOf, type Question, rank } from "./report.ts"

/** An export, as far as the bot has read it. */
export interface ReadExport extends PageList {
  /** When the hour has room for the rest, ms; present if the hour's requests ran out before the pages. */
  restAt?: number
}

/** The wait between two edits that show progress, ms; Slack allows 50 edits a minute per workspace. */
const PROGRESS_MS = 10_000
/**
 * Limits the pages of one export, because the bot sorts the rows in memory; an hour's requests read
 * a tenth of this.
 */
const MOST_PAGES = 1000

export interface CsvDeps {
  questions: Questions
  outbound: Outbound
  readings: Readings
  now: Clock
  nameOf: (project: string) => string
  tell: (to: Asker, message: Message) => Promise<void>
}

/**
 * Sends an export to the person's direct messages, because a report is private, and shows its
 * progress there. If a worker stops or dies, the next one continues with the pages read so far and
 * the same progress message. A crash while the bot sends the file sends it twice.
 */
export async function sendCsv(
  deps: CsvDeps,
  held: Inquiry,
  question: Question,
  stopping: AbortSignal,
): Promise<void> {
  const { questions, outbound, nameOf, tell } = deps
  const { asker, line: known } = held.record
  const first = messages.csvProgress(nameOf(question.project), question, 0)
  const line = known ?? (await outbound.direct(asker.user, first).catch(orSlackError))
  if (line instanceof SlackError) return tell(asker, messages.csvUnsent(line))
  if (!known) {
    await questions.note(held, line)
    await tell(asker, messages.CSV_STARTED)
  }
  // Ignores a progress edit that Slack refuses; only the file matters.
  const show = async (message: Message) =>
    void (await outbound.update(line, message).catch(orSlackError))
  const { channel } = line
  const end = await exported(deps, held, question, { channel, show, stopping })
  if (end) await show(end)
  else await questions.release(held)
}

/** The place of an export, and the function that reports its progress. */
interface Showing {
  channel: string
  show: (message: Message) => Promise<void>
  stopping: AbortSignal
}

/** Reads and sends the file. @returns how it ended; undefined if another worker continues it */
async function exported(
  deps: CsvDeps,
  held: Inquiry,
  question: Question,
  showing: Showing,
): Promise<Message | undefined> {
  const { outbound, now, nameOf } = deps
  const { project, range, filter = "" } = question
  const name = nameOf(project)
  const read = await readExport(deps, held, question, showing).catch(
    async (error: unknown): Promise<Missing> => {
      if (error instanceof DocsError) return missingOf(error, await now())
      await showing.show(messages.csvFailed(name, question, { fault: "unexpected" }))
      throw error
    },
  )
  if (!read) return undefined
  if ("fault" in read) return messages.csvFailed(name, question, read)
  const isWhole = read.end === "complete"
  const rows = rank(read.rows.filter(({ path }) => path.startsWith(filter)))
  const lines = rows.map(({ path, human, ai, total }) =>
    csvRow([path, `${human}`, `${ai}`, `${total}`]),
  )
  const last = isWhole ? "" : `(incomplete: stopped after ${read.rows.length} pages),,,\r\n`
  const content = Buffer.from(`${csvHead("path,people,ai,total")}${lines.join("")}${last}`)
  const file = {
    name: csvFileName("docs-visitors", name, range, isWhole ? "" : "_part"),
    bytes: content.length,
    content: Readable.from([content]),
  }
  const refused = await outbound.upload({ channel: showing.channel }, file).catch(orSlackError)
  return refused ? messages.csvUnsent(refused) : messages.csvDone(name, question, rows.length, read)
}

async function readExport(
  { readings, questions, now, nameOf }: CsvDeps,
  held: Inquiry,
  question: Question,
  { show, stopping }: Showing,
): Promise<ReadExport | undefined> {
  const { project, range } = question
  let shown = stopwatch()
  let restAt: number | undefined
  let isHandedOn = false
  const read = async (offset: number, rows: number) => {
    const isLate = shown() > PROGRESS_MS
    isHandedOn = stopping.aborted || (isLate && !(await questions.renew(held, shown())))
    if (isHandedOn) return undefined
    if (isLate) {
      shown = stopwatch()
      await show(messages.csvProgress(nameOf(project), question, rows))
    }
    try {
      return (await readings.page(held.record.asker.user, project, range, offset)).value
    } catch (error) {
      if (!(error instanceof DocsError && error.fault === "rate_limited") || rows === 0) throw error
      restAt = (await now()) + (error.retryAfterMs ?? 0)
      return undefined
    }
  }
  const list = await walk(read, MOST_PAGES)
  return isHandedOn ? undefined : { ...list, ...(restAt === undefined ? {} : { restAt }) }
}
