import { admitted } from "../asking/access-rules.ts"
import { channelFacts } from "../asking/tell-requesters.ts"
import type { Clicks, Reply } from "../asking/work-after-ack.ts"
import type { Context } from "../jobs/context.ts"
import { dayOf } from "../lib/time.ts"
import { cannotPostHere } from "../messages/refused-requests.ts"
import { type Told, tell } from "../slack/ephemeral.ts"
import { type FallbackLevel, type Forms, inRichestForm } from "../slack/message-fallback.ts"
import type { Message } from "../slack/message-types.ts"
import type { Click } from "../slack/payloads.ts"
import { refusalOf } from "../slack/slack-error.ts"
import { currentTime } from "../store/script.ts"
import { ALERT_REPORT } from "./alerts.ts"
import { CSV_ON_ITS_WAY } from "./csv-export.ts"
import { orderCsv } from "./csv-queue.ts"
import { changeMessage, readChanges } from "./page-changes.ts"
import { isFault, parseRange } from "./parse-range.ts"
import { rangeTitle, type Selection, selectionShape } from "./range.ts"
import { readReport } from "./read-report.ts"
import type { VisitorsContext } from "./read-visitors.ts"
import { visitorActions } from "./report-buttons.ts"
import { type OwnAudience, reportMessage } from "./report-message.ts"
import { expired, NOT_SHARED, orNotLoaded, SHARED_BEFORE } from "./report-unavailable.ts"
import { claimShare, loadShown, saveShown, type View } from "./stored-reports.ts"

/** Private answer in place of what was asked for; undefined if the person was shown that. */
type Instead = Promise<Message | undefined>

/** Reads, stores and shows a report. @param replace whether to replace the clicked message */
export function showReport(
  visitors: VisitorsContext,
  asker: Told,
  selection: Selection,
  { replace = false } = {},
): Instead {
  const { context } = visitors
  return orNotLoaded(context, visitorsOf(selection), async () => {
    const report = await readReport(visitors, selection, asker.user)
    const message: OwnMessage = (own, level) => reportMessage(report, own, level)
    return showOwn(context, asker, report.selection, message, replace)
  })
}

type OwnMessage = (own: OwnAudience, level: FallbackLevel) => Message

/** Stores what a person is shown, and shows it in the richest form that Slack takes. */
export async function showOwn(
  { store, slack }: Context,
  asker: Told,
  view: View,
  message: OwnMessage,
  replace = false,
): Promise<undefined> {
  const id = await saveShown(store, { user: asker.user }, view)
  const isDirect = asker.channel?.startsWith("D") ?? true
  const outbound = inRichestForm(store.redis, slack.outbound)
  const forms: Forms = (level) => message({ kind: "private", id, isDirect }, level)
  await tell<Forms>({ ...slack, outbound }, asker, forms, replace)
}

/** Posts a private report in its channel once, however often people press the button. */
function shareReport(
  visitors: VisitorsContext,
  asker: Told,
  selection: Selection,
  id: string,
): Instead {
  const { user } = asker
  return orNotLoaded(visitors.context, visitorsOf(selection), async () => {
    // Everybody gets the top pages, whichever page was in sight.
    const report = await readReport(visitors, { ...selection, page: 1 }, user)
    const forms: Forms = (level) => reportMessage(report, { kind: "shared", by: user }, level)
    return shareOnce(visitors.context, asker, id, forms)
  })
}

/** Posts in a person's channel what they were shown under this id. A second click posts nothing. */
export async function shareOnce(
  context: Context,
  { user, channel = "" }: Told,
  id: string,
  forms: Forms,
): Instead {
  const { store, slack } = context
  const claim = await claimShare(store, user, id)
  if (claim === "acting" || claim === "done") return SHARED_BEFORE
  const outbound = inRichestForm(store.redis, slack.outbound)
  const refused = await refusalOf(outbound.post({ channel }, forms))
  // If Slack may have posted it, the button stays used: a double public post is worse.
  await (refused && refused.verdict !== "unknown" ? claim.failed() : claim.done())
  return refused && cannotPostHere(refused, await channelFacts(context, channel), NOT_SHARED)
}

/** Shows what changed in place of the report that has this id, to which a button leads back. */
function showChanges(
  visitors: VisitorsContext,
  asker: Told,
  selection: Selection,
  id: string,
): Instead {
  const { context } = visitors
  return orNotLoaded(context, visitorsOf(selection), async () => {
    const changes = await readChanges(visitors, selection, asker.user)
    await tell(context.slack, asker, changeMessage(changes, id), true)
    return undefined
  })
}

function visitorsOf({ range }: Selection): string {
  return `visitors for ${rangeTitle(range)}`
}

/** Shows the part of a report that a control names, in its place. */
const turn = onOwnReport(async (visitors, click, selection) => {
  const [, picked = ""] = click.value.split(".")
  const today = dayOf(await currentTime(visitors.context.store))
  const other = turned(selection, picked, today)
  return { work: () => showReport(visitors, click, other, { replace: true }) }
})

/** Buttons and menus of the reports about visitors, by `action_id`. */
export const reportClicks: Clicks<VisitorsContext> = {
  [visitorActions.range]: turn,
  [visitorActions.previous]: turn,
  [visitorActions.next]: turn,
  [visitorActions.back]: turn,
  [visitorActions.changed]: onOwnReport(async (visitors, click, selection, id) => {
    return { work: () => showChanges(visitors, click, selection, id) }
  }),
  [visitorActions.share]: onOwnReport(async (visitors, click, selection, id) => {
    return { ack: await shareReport(visitors, click, selection, id) }
  }),
  // Further clicks on the same report start no second export.
  [visitorActions.csv]: onOwnReport(async ({ context }, click, selection, id) => {
    return (await orderCsv(context, click, id, selection)) ? {} : { ack: CSV_ON_ITS_WAY }
  }),
  [ALERT_REPORT]: admitted(openAlert),
}

type OnReport = (
  visitors: VisitorsContext,
  click: Click,
  selection: Selection,
  id: string,
) => Promise<Reply>

/** Lets only the person whom a report was shown to use its controls. */
function onOwnReport(use: OnReport) {
  return admitted(async (visitors: VisitorsContext, click: Click) => {
    const [id = ""] = click.value.split(".")
    const { store } = visitors.context
    const selection = await loadShown(store, selectionShape, { user: click.user }, id)
    return selection
      ? use(visitors, click, selection, id)
      : { ack: expired("report", "/docs-visitors") }
  })
}

/** Selects another page or range; the same part for the way back, which names neither. */
function turned(selection: Selection, picked: string, today: string): Selection {
  if (/^[1-9]\d{0,5}$/.test(picked)) return { ...selection, page: Number(picked) }
  const range = parseRange(picked, today)
  return isFault(range) ? selection : { ...selection, range, page: 1 }
}

/** Shows an alert's report privately to anyone in its channel. */
async function openAlert(visitors: VisitorsContext, click: Click): Promise<Reply> {
  const { channel = "", value } = click
  const selection = await loadShown(visitors.context.store, selectionShape, { channel }, value)
  if (!selection) return { ack: expired("report", "/docs-visitors &lt;date&gt;") }
  return { work: () => showReport(visitors, click, selection) }
}
