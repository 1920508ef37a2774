import { channelFacts } from "../asking/tell-requesters.ts"
import { cannotPostHere } from "../messages/refused-requests.ts"
import { type Told, tell } from "../slack/ephemeral.ts"
import { type FallbackLevel, sendWithFallback } from "../slack/message-fallback.ts"
import type { Message } from "../slack/message-types.ts"
import { refusalOf } from "../slack/slack-error.ts"
import { changeMessage, readChanges } from "./page-changes.ts"
import type { Selection } from "./range.ts"
import { rangeTitle } from "./range-and-change-words.ts"
import { readReport } from "./read-report.ts"
import { reportMessage } from "./report-message.ts"
import { NOT_SHARED, orTell, SHARED_BEFORE } from "./report-unavailable.ts"
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

/** Posts a private report in its channel once, however often people press the button. */
export async function shareReport(
  visitors: VisitorsContext,
  asker: Told,
  selection: Selection,
  id: string,
): Promise<void> {
  const { user } = asker
  // Everybody gets the top pages, whichever page was in sight.
  const reading = readReport(visitors, { ...selection, page: 1 }, user)
  const report = await orTell(visitors.context, asker, visitorsOf(selection), reading)
  if (!report) return
  await shareOnce(visitors, asker, id, (level) =>
    reportMessage(report, { kind: "shared", by: user }, level),
  )
}

/** Posts in a person's channel what they were shown under this id. A second click posts nothing. */
export async function shareOnce(
  { context, shown }: Pick<VisitorsContext, "context" | "shown">,
  asker: Told,
  id: string,
  message: (level: FallbackLevel) => Message,
): Promise<void> {
  const { slack } = context
  const { user, channel = "" } = asker
  const turn = await shown.turnToShare(id, user)
  if (turn === "acting" || turn === "done") return tell(slack, asker, SHARED_BEFORE)
  const posting = sendWithFallback(message, (words) => slack.outbound.post({ channel }, words))
  const refused = await refusalOf(posting)
  // If Slack may have posted it, the button stays used: a double public post is worse.
  await (refused && refused.verdict !== "unknown" ? turn.failed() : turn.done())
  if (!refused) return
  const facts = await channelFacts(context, channel)
  await tell(slack, asker, cannotPostHere(refused, facts, NOT_SHARED))
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
function visitorsOf({ range }: Selection): string {
  return `visitors for ${rangeTitle(range)}`
}
