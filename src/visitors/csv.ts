import { createHash } from "node:crypto"
import { Readable } from "node:stream"
import { DocsError } from "../errors/docs-error.ts"
import { orSlackError, SlackError } from "../errors/slack-error.ts"
import type { Message } from "../messages/blocks.ts"
import * as messages from "../messages/visitors/csv.ts"
import { type Clock, stopwatch } from "../runtime/time.ts"
import type { Outbound } from "../slack/web-outbound.ts"
import { key } from "../store/keys.ts"
import type { RedisClient } from "../store/script.ts"
import { csvFileName, csvHead, csvRow } from "../text/csv-file.ts"
import { type PageList, type Readings, walk } from "./readings.ts"
import { type Missing, missingOf, type Question, rank } from "./report.ts"

/** An export as far as it was read. */
export interface ReadExport extends PageList {
  /** When the hour has room for the rest, ms; present where the hour ended before the pages. */
  restAt?: number
}

/** A claim of a process that died ends after this, ms: an hour's requests take a few minutes. */
const CLAIM_MS = 10 * 60_000
/** Between two edits that show progress, ms: Slack allows 50 edits a minute per workspace. */
const PROGRESS_MS = 10_000
/** Rows are put in order in memory; an hour of the service holds a tenth of this. */
const MOST_PAGES = 1000

interface CsvDeps {
  redis: RedisClient
  outbound: Outbound
  readings: Readings
  now: Clock
  nameOf: (project: string) => string
  /** Aborts when the process stops. */
  stopping: AbortSignal
}

/**
 * Sends an export to the person's direct messages, a report being private, and shows its progress there.
 * Of several clicks at the same moment one counts. A process that dies loses an export that can be asked
 * for again; what it read is shared. @param say says something where it was asked for
 */
export async function sendCsv(
  deps: CsvDeps,
  user: string,
  question: Question,
  say: (message: Message) => Promise<void>,
): Promise<void> {
  const { redis, outbound, nameOf } = deps
  const { project, range, filter = "" } = question
  const words = JSON.stringify([project, range.from, range.to, filter])
  const claim = key("own", user, "csv", createHash("sha256").update(words).digest("base64url"))
  if ((await redis.set(claim, "1", "PX", CLAIM_MS, "NX")) !== "OK")
    return say(messages.CSV_ON_ITS_WAY)
  try {
    const begun = await outbound
      .direct(user, messages.csvProgress(nameOf(project), question, 0))
      .catch(orSlackError)
    if (begun instanceof SlackError) return await say(messages.csvUnsent(begun))
    await say(messages.CSV_STARTED)
    // The file is what counts; a line about it that Slack does not take is let go.
    const show = async (message: Message) =>
      void (await outbound.update(begun, message).catch(orSlackError))
    await show(await exported(deps, user, question, begun.channel, show))
  } finally {
    await redis.del(claim)
  }
}

/** Reads and sends the file. @returns how it ended */
async function exported(
  deps: CsvDeps,
  user: string,
  question: Question,
  channel: string,
  show: (message: Message) => Promise<void>,
): Promise<Message> {
  const { outbound, now, nameOf, stopping } = deps
  const { project, range, filter = "" } = question
  const name = nameOf(project)
  const progress = (rows: number) => show(messages.csvProgress(name, question, rows))
  const read = await readExport(deps, user, question, progress).catch(
    async (error: unknown): Promise<Missing> => {
      if (error instanceof DocsError) return missingOf(error, await now())
      if (stopping.aborted) return { fault: "restarted" }
      await show(messages.csvFailed(name, question, { fault: "unexpected" }))
      throw error
    },
  )
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
  const refused = await outbound.upload({ channel }, file).catch(orSlackError)
  return refused ? messages.csvUnsent(refused) : messages.csvDone(name, question, rows.length, read)
}

async function readExport(
  { readings, stopping, now }: CsvDeps,
  user: string,
  { project, range }: Question,
  progress: (rows: number) => Promise<void>,
): Promise<ReadExport> {
  let shown = stopwatch()
  let restAt: number | undefined
  const read = async (offset: number, rows: number) => {
    stopping.throwIfAborted()
    if (shown() > PROGRESS_MS) {
      shown = stopwatch()
      await progress(rows)
    }
    try {
      return (await readings.page(user, project, range, offset)).value
    } catch (error) {
      if (!(error instanceof DocsError && error.fault === "rate_limited") || rows === 0) throw error
      restAt = (await now()) + (error.retryAfterMs ?? 0)
      return undefined
    }
  }
  const list = await walk(read, MOST_PAGES)
  return { ...list, ...(restAt === undefined ? {} : { restAt }) }
}
