import { Readable } from "node:stream"
import { DocsError } from "../errors/docs-error.ts"
import { orSlackError, SlackError } from "../errors/slack-error.ts"
import {
  csvBegun,
  csvDone,
  csvFailed,
  csvOnItsWay,
  csvProgress,
  csvStarted,
  csvUnsent,
} from "../messages/visitors/csv.ts"
import type { Message } from "../ports/message.ts"
import type { Outbound } from "../ports/outbound.ts"
import { UNTIL_WOKEN } from "../runtime/alarm.ts"
import { type Clock, stopwatch } from "../runtime/time.ts"
import { csvCell, csvFileName, csvHead } from "../text/csv-file.ts"
import type { ClaimedExport, CsvExports } from "./csv-exports.ts"
import { type PageList, type Readings, walk } from "./readings.ts"
import { type Missing, missing, type Question, rank } from "./report.ts"

/** One CSV that somebody asked for, and the message in their direct messages that shows its progress. */
export interface CsvExport {
  user: string
  question: Question
  channel: string
  ts: string
}

/** An export as far as it was read. */
export interface ReadExport extends PageList {
  /** When the hour has room for the rest, ms; present where the hour ended before the pages. */
  restAt?: number
}

/** How long one pass reads, ms: what it read is shared, so the next one goes on from there. */
const WORK_MS = 4 * 60_000
/** That, a request at its slowest and the upload, with plenty of room, ms. */
const LEASE_MS = 6 * 60_000
/** Between two edits that show progress, ms: Slack allows 50 edits a minute per workspace. */
const PROGRESS_MS = 10_000
/** Before another try after the service or Slack failed, ms; and how many there are, two hours of them. */
const AGAIN_MS = 5 * 60_000
const MOST_TRIES = 24
/** Rows are put in order in memory; an hour of the service holds a tenth of this. */
const MOST_PAGES = 1000

interface StartDeps {
  exports: CsvExports
  outbound: Outbound
  nameOf: (project: string) => string
}

/**
 * Begins an export: the file goes to the person's direct messages, a report being private. Of several
 * clicks at the same moment one counts. @returns what to say where it was asked for
 */
export async function startCsv(
  { exports, outbound, nameOf }: StartDeps,
  user: string,
  question: Question,
): Promise<Message> {
  const claim = await exports.claimStart(user, question)
  if (!claim) return csvOnItsWay()
  const begun = await outbound
    .direct(user, csvBegun(nameOf(question.project), question))
    .catch(orSlackError)
  if (begun instanceof SlackError) {
    await exports.cancelStart(claim)
    return csvUnsent(begun)
  }
  await exports.start(claim, { user, question, ...begun })
  return csvStarted()
}

interface CsvPassDeps extends StartDeps {
  readings: Readings
  now: Clock
  /** Aborts when the process stops: another one goes on with what was read, which is shared. */
  signal: AbortSignal
}

/** Another pass goes on with it. */
class LetGo extends Error {
  override name = "LetGo"
}

/**
 * One pass over the exports: claims the one that is due longest, reads what the hour's requests allow and
 * sends the file. A crash between sending and writing it down sends it again: twice is better than never.
 * Returns how long to rest, ms.
 */
export async function csvPass(deps: CsvPassDeps): Promise<number> {
  const claimed = await deps.exports.claim(LEASE_MS)
  if (!claimed) return (await deps.exports.untilDue()) ?? UNTIL_WOKEN
  try {
    const read = await readExport(deps, claimed)
    await send(deps, claimed, read)
  } catch (error) {
    if (error instanceof LetGo) await deps.exports.again(claimed, 0)
    else await afterFailure(deps, claimed, error)
  }
  return 0
}

async function readExport(deps: CsvPassDeps, claimed: ClaimedExport): Promise<ReadExport> {
  const { readings, outbound, signal, now, nameOf } = deps
  const { user, question, channel, ts } = claimed.record.export
  const name = nameOf(question.project)
  const working = stopwatch()
  let shown = stopwatch()
  let restAt: number | undefined
  const read = async (offset: number, rows: number) => {
    if (signal.aborted || working() > WORK_MS) throw new LetGo()
    if (shown() > PROGRESS_MS) {
      shown = stopwatch()
      // An edit that fails is not worth an export: the next one says more anyway.
      await outbound.update({ channel, ts }, csvProgress(name, question, rows)).catch(orSlackError)
    }
    try {
      return (await readings.page(user, question.project, question.range, offset)).value
    } catch (error) {
      if (!(error instanceof DocsError && error.fault === "rate_limited") || rows === 0) throw error
      restAt = (await now()) + (error.retryAfterMs ?? 0)
      return undefined
    }
  }
  const list = await walk(read, MOST_PAGES)
  return { ...list, ...(restAt === undefined ? {} : { restAt }) }
}

async function send(deps: CsvPassDeps, claimed: ClaimedExport, read: ReadExport): Promise<void> {
  const { outbound, exports, nameOf } = deps
  const { question, channel, ts } = claimed.record.export
  const { filter = "", project, range } = question
  const rows = rank(read.rows.filter(({ path }) => path.startsWith(filter)))
  const content = Buffer.from(csvOf(rows, read))
  const name = nameOf(project)
  const part = read.end === "complete" ? "" : "_part"
  const fileName = csvFileName("docs-visitors", name, range, part)
  const file = { name: fileName, bytes: content.length, content: Readable.from([content]) }
  const refused = await outbound.upload({ channel }, file).catch(orSlackError)
  if (refused && refused.verdict !== "give_up" && claimed.tries < MOST_TRIES)
    return exports.again(claimed, refused.retryAfterMs ?? AGAIN_MS)
  await exports.done(claimed)
  const words = refused ? csvUnsent(refused) : csvDone(name, question, rows.length, read)
  // The file is what counts; a line about it that Slack does not take is let go.
  await outbound.update({ channel, ts }, words).catch(orSlackError)
}

function csvOf(rows: PageList["rows"], { end, rows: all }: ReadExport): string {
  const lines = rows.map(
    ({ path, human, ai, total }) => `${csvCell(path)},${human},${ai},${total}\r\n`,
  )
  const last = `(incomplete: stopped after ${all.length} pages),,,\r\n`
  const head = csvHead("path,people,ai,total")
  return `${head}${lines.join("")}${end === "complete" ? "" : last}`
}

/** @throws an unexpected error, once the attempt is counted: it has to reach the log */
async function afterFailure(deps: CsvPassDeps, claimed: ClaimedExport, error: unknown) {
  const { exports, outbound, now, nameOf } = deps
  const { question, channel, ts } = claimed.record.export
  const expected = error instanceof DocsError ? error : undefined
  const isFinal = expected && (!expected.retryable || expected.fault === "rate_limited")
  if (isFinal || claimed.tries >= MOST_TRIES) {
    await exports.done(claimed)
    const why: Missing = expected ? missing(expected, await now()) : { fault: "unexpected" }
    await outbound
      .update({ channel, ts }, csvFailed(nameOf(question.project), question, why))
      .catch(orSlackError)
  } else await exports.again(claimed, AGAIN_MS)
  if (!expected) throw error
}
