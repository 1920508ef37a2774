import { Readable } from "node:stream"
import { EXPORTS } from "../config/timing.ts"
import { orSlackError } from "../errors/slack-error.ts"
import type { Message } from "../ports/message.ts"
import type { Outbound } from "../ports/outbound.ts"
import { csvName } from "./csv.ts"
import type { ClaimedExport, CsvExport, CsvExports, Recipient } from "./export-ports.ts"

/** Failures in a row after which a recipient is told instead. */
const MOST_FAILURES = 10

/** What to write once a file is complete. The views decide the words. */
export interface SendingViews {
  done(csv: CsvExport): Message
  /** @param code Slack's error code */
  unsent(csv: CsvExport, code: string): Message
}

interface SendingDeps {
  exports: CsvExports
  outbound: Outbound
  views: SendingViews
}

/**
 * Sends the file to everybody who asked, in chunks from Redis: memory stays flat however long it is.
 * A crash, or an answer of Slack that never came, between sending and writing it down sends the
 * file again: twice is better than never.
 */
export async function sendFile(deps: SendingDeps, claimed: ClaimedExport): Promise<void> {
  for (const recipient of await deps.exports.recipients(claimed.export.id)) {
    const waitMs = await sendTo(deps, claimed, recipient)
    if (waitMs !== undefined) return deps.exports.park(claimed, waitMs, true)
    await deps.exports.served(claimed, recipient.user)
  }
  await deps.exports.finish(claimed)
}

/** @returns how long to wait before another try, ms; nothing when this recipient is dealt with */
async function sendTo(
  { exports, outbound, views }: SendingDeps,
  { export: csv }: ClaimedExport,
  { channel, ts }: Recipient,
): Promise<number | undefined> {
  const part = (csv.end ?? "complete") !== "complete"
  const file = {
    name: csvName(csv.project, csv.range, part),
    bytes: csv.bytes,
    content: Readable.from(toBytes(exports.content(csv.id)), { objectMode: false }),
  }
  const refused = await outbound.upload({ channel }, file).catch(orSlackError)
  if (refused && refused.verdict !== "give_up" && csv.failures < MOST_FAILURES)
    return refused.retryAfterMs ?? EXPORTS.sendAgainMs
  const message = refused ? views.unsent(csv, refused.code) : views.done(csv)
  // The file is what counts; a line about it that Slack does not take is let go.
  await outbound.update({ channel, ts }, message).catch(orSlackError)
  return undefined
}

async function* toBytes(chunks: AsyncIterable<string>): AsyncIterable<Buffer> {
  for await (const chunk of chunks) yield Buffer.from(chunk)
}
