import { againAfter, EXPORTS, READING_PAUSE_MS } from "../config/timing.ts"
import { DocsError } from "../errors/docs-error.ts"
import { orSlackError } from "../errors/slack-error.ts"
import type { Message } from "../ports/message.ts"
import type { Outbound } from "../ports/outbound.ts"
import { UNTIL_WOKEN } from "../runtime/alarm.ts"
import type { Clock } from "../runtime/clock.ts"
import type { ClaimedExport, CsvExport } from "./export-ports.ts"
import { OversizedPage, type ReadingDeps, readNextPage } from "./export-reading.ts"
import { type SendingViews, sendFile } from "./export-sending.ts"
import { type Missing, missing } from "./report.ts"

/** Failures in a row, about four hours of them, after which an export is given up. */
const MOST_FAILURES = 24

/** What to write about an export. The views decide the words. */
export interface ExportViews extends SendingViews {
  /** @param resumesAt when the next request may be made, ms; absent while it reads */
  progress(csv: CsvExport, resumesAt: number | undefined): Message
  failed(csv: CsvExport, why: Missing): Message
}

export interface ExportPassDeps extends ReadingDeps {
  outbound: Outbound
  views: ExportViews
  now: Clock
}

/**
 * One pass over the exports: claims the one that is due longest and reads on, or sends its file.
 * Safe in any number of processes; a crash loses at most one page that was read, and the export goes
 * on when its lease ends. Returns how long to rest, ms.
 */
export async function exportPass(deps: ExportPassDeps): Promise<number> {
  const claimed = await deps.exports.claim(EXPORTS.leaseMs)
  if (!claimed) return (await deps.exports.nextDue()) ?? UNTIL_WOKEN
  if (claimed.export.state === "sending") await send(deps, claimed)
  else await readOn(deps, claimed)
  return 0
}

async function send(deps: ExportPassDeps, claimed: ClaimedExport): Promise<void> {
  try {
    await sendFile(deps, claimed)
  } catch (error) {
    await afterFailure(deps, claimed, error)
  }
}

async function readOn(deps: ExportPassDeps, first: ClaimedExport): Promise<void> {
  const stopAt = performance.now() + EXPORTS.workMs
  let claimed = first
  try {
    while (performance.now() < stopAt) {
      const step = await readNextPage(deps, claimed)
      if (step === undefined) return
      claimed = step.claimed
      if (step.outcome !== "more") return await deps.exports.close(claimed, step.outcome)
    }
  } catch (error) {
    return afterFailure(deps, claimed, error)
  }
  await showProgress(deps, claimed, undefined)
  await deps.exports.park(claimed, 0, false)
}

/** @throws an unexpected error, once the attempt is counted: it has to reach the log */
async function afterFailure(
  deps: ExportPassDeps,
  claimed: ClaimedExport,
  error: unknown,
): Promise<void> {
  const { failures } = claimed.export
  if (error instanceof OversizedPage) return giveUp(deps, claimed, { fault: "oversized" })
  if (error instanceof DocsError && error.fault === "rate_limited") {
    const waitMs = error.retryAfterMs ?? READING_PAUSE_MS
    await showProgress(deps, claimed, (await deps.now()) + waitMs)
    return deps.exports.park(claimed, waitMs, false)
  }
  const expected = error instanceof DocsError ? error : undefined
  if (failures >= MOST_FAILURES || expected?.retryable === false) {
    const why = expected ? missing(expected, await deps.now()) : ({ fault: "unexpected" } as const)
    await giveUp(deps, claimed, why)
  } else {
    await deps.exports.park(claimed, againAfter(failures), true)
  }
  if (!expected) throw error
}

/** Nobody gets a part that could be taken for the whole. */
async function giveUp(deps: ExportPassDeps, claimed: ClaimedExport, why: Missing): Promise<void> {
  const message = deps.views.failed(claimed.export, why)
  for (const recipient of await deps.exports.recipients(claimed.export.id)) {
    await deps.outbound.update(recipient, message).catch(orSlackError)
    await deps.exports.served(claimed, recipient.user)
  }
  await deps.exports.finish(claimed)
}

async function showProgress(
  deps: ExportPassDeps,
  claimed: ClaimedExport,
  resumesAt: number | undefined,
): Promise<void> {
  // That it rests for an hour is said at once; how far it is, now and then.
  if (!(await deps.exports.mayShow(claimed, EXPORTS.progressMs)) && resumesAt === undefined) return
  const message = deps.views.progress(claimed.export, resumesAt)
  // An edit that fails is not worth an export: the next one says more anyway.
  for (const recipient of await deps.exports.recipients(claimed.export.id))
    await deps.outbound.update(recipient, message).catch(orSlackError)
}
