import { channelFacts } from "../asking/tell-requesters.ts"
import { DocsError, orDocsError } from "../docs-service/docs-error.ts"
import { cannotPostHere } from "../messages/refused-requests.ts"
import { type Told, tell } from "../slack/ephemeral.ts"
import { type FallbackLevel, type Forms, inRichestForm } from "../slack/message-fallback.ts"
import type { Message } from "../slack/message-types.ts"
import { refusalOf } from "../slack/slack-error.ts"
import { changeMessage, readChanges } from "./page-changes.ts"
import { rangeTitle, type Selection } from "./range.ts"
import { readReport } from "./read-report.ts"
import { type OwnAudience, reportMessage } from "./report-message.ts"
import { NOT_SHARED, notLoaded, SHARED_BEFORE } from "./report-unavailable.ts"
import type { View } from "./stored-reports.ts"
import type { VisitorsContext } from "./visitors-context.ts"

/** Private answer in place of what was asked for; undefined if the person was shown that. */
type Instead = Promise<Message | undefined>

/** Reads, stores and shows a report. @param replace whether to replace the clicked message */
export async function showReport(
  visitors: VisitorsContext,
  asker: Told,
  selection: Selection,
  { replace = false } = {},
): Instead {
  const { context } = visitors
  const report = await readReport(visitors, selection, asker.user).catch(orDocsError)
  if (report instanceof DocsError) return notLoaded(context, visitorsOf(selection), report)
  const message: OwnMessage = (own, level) => reportMessage(report, own, level)
  await showOwn(visitors, asker, report.selection, message, replace)
  return undefined
}

/** Renders a report for the person who asked, who may share it. */
type OwnMessage = (own: OwnAudience, level: FallbackLevel) => Message

/** Stores what a person is shown, and shows it in the richest form that Slack takes. */
export async function showOwn(
  { context, shown }: VisitorsContext,
  asker: Told,
  view: View,
  message: OwnMessage,
  replace = false,
): Promise<void> {
  const id = await shown.save({ user: asker.user }, view)
  const isDirect = asker.channel?.startsWith("D") ?? true
  const outbound = inRichestForm(context.store.redis, context.slack.outbound)
  const forms: Forms = (level) => message({ kind: "private", id, isDirect }, level)
  await tell<Forms>({ ...context.slack, outbound }, asker, forms, replace)
}

/** Posts a private report in its channel once, however often people press the button. */
export async function shareReport(
  visitors: VisitorsContext,
  asker: Told,
  selection: Selection,
  id: string,
): Instead {
  const { user } = asker
  // Everybody gets the top pages, whichever page was in sight.
  const report = await readReport(visitors, { ...selection, page: 1 }, user).catch(orDocsError)
  if (report instanceof DocsError) return notLoaded(visitors.context, visitorsOf(selection), report)
  return shareOnce(visitors, asker, id, (level) =>
    reportMessage(report, { kind: "shared", by: user }, level),
  )
}

/** Posts in a person's channel what they were shown under this id. A second click posts nothing. */
export async function shareOnce(
  { context, shown }: Pick<VisitorsContext, "context" | "shown">,
  { user, channel = "" }: Told,
  id: string,
  forms: Forms,
): Instead {
  const outbound = inRichestForm(context.store.redis, context.slack.outbound)
  const claim = await shown.claimShare(id, user)
  if (claim === "acting" || claim === "done") return SHARED_BEFORE
  const refused = await refusalOf(outbound.post({ channel }, forms))
  // If Slack may have posted it, the button stays used: a double public post is worse.
  await (refused && refused.verdict !== "unknown" ? claim.failed() : claim.done())
  return refused && cannotPostHere(refused, await channelFacts(context, channel), NOT_SHARED)
}

/** Shows what changed in place of the report that has this id, to which a button leads back. */
export async function showChanges(
  visitors: VisitorsContext,
  asker: Told,
  selection: Selection,
  id: string,
): Instead {
  const { context } = visitors
  const changes = await readChanges(visitors, selection, asker.user).catch(orDocsError)
  if (changes instanceof DocsError) return notLoaded(context, visitorsOf(selection), changes)
  await tell(context.slack, asker, changeMessage(changes, id), true)
  return undefined
}

/** Names what could not be loaded. */
function visitorsOf({ range }: Selection): string {
  return `visitors for ${rangeTitle(range)}`
}
