import { DocsError, orDocsError } from "../docs-service/docs-error.ts"
import type { Context } from "../jobs/context.ts"
import { type Told, tell } from "../slack/private-answer.ts"
import { currentTime } from "../store/script.ts"
import { sendWithFallback } from "./message-fallback.ts"
import { changeMessage } from "./page-changes-message.ts"
import { rangeTitle } from "./range-words.ts"
import { missingOf, readChanges, readReport } from "./report.ts"
import { reportMessage } from "./report-message.ts"
import { unavailable } from "./report-notices.ts"
import type { Selection } from "./selection.ts"
import type { VisitorsContext } from "./visitors-context.ts"

/** Reads, stores and shows a report. @param replace whether to replace the clicked message */
export async function showReport(
  visitors: VisitorsContext,
  asker: Told,
  selection: Selection,
  replace = false,
): Promise<void> {
  const reading = readReport(visitors, selection, asker.user)
  const report = await orTell(visitors.context, asker, visitorsOf(selection), reading)
  if (!report) return
  const id = await visitors.shown.save({ user: asker.user }, report.selection)
  const isDirect = asker.channel?.startsWith("D") === true
  await sendWithFallback(
    (level) => reportMessage(report, { kind: "private", id, isDirect }, level),
    (message) => tell(visitors.context.slack, asker, message, replace),
  )
}

/** Shows what changed in place of the report that has this id, to which a button leads back. */
export async function showChanges(
  visitors: VisitorsContext,
  asker: Told,
  selection: Selection,
  id: string,
): Promise<void> {
  const reading = readChanges(visitors, selection, asker.user)
  const changes = await orTell(visitors.context, asker, visitorsOf(selection), reading)
  if (changes) await tell(visitors.context.slack, asker, changeMessage(changes, id), true)
}

/** Names what could not be loaded. */
export function visitorsOf({ range }: Selection): string {
  return `visitors for ${rangeTitle(range)}`
}

/** Resolves to a reading, or to undefined after telling the person why there is none. */
export async function orTell<T>(
  { store, slack, settings }: Context,
  asker: Told,
  what: string,
  reading: Promise<T>,
): Promise<T | undefined> {
  const found = await reading.catch(orDocsError)
  if (!(found instanceof DocsError)) return found
  const missing = missingOf(found, await currentTime(store))
  await tell(slack, asker, unavailable(what, missing, settings.access.admins))
  return undefined
}
