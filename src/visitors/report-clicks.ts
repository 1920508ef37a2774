import { admitted } from "../asking/access-rules.ts"
import type { Clicks, Reply } from "../asking/work-after-ack.ts"
import { dayOf } from "../lib/time.ts"
import type { Click } from "../slack/payloads.ts"
import { currentTime } from "../store/script.ts"
import { ALERT_REPORT } from "./alerts.ts"
import { CSV_ON_ITS_WAY } from "./csv-export.ts"
import { GAP_ASK, GAPS_MORE } from "./gaps-message.ts"
import { isFault, parseRange } from "./parse-range.ts"
import type { Selection } from "./range.ts"
import { visitorActions } from "./report-buttons.ts"
import { expired } from "./report-unavailable.ts"
import { shareOutcomes } from "./requests-report.ts"
import { SHARE_OUTCOMES } from "./requests-report-message.ts"
import { runMeant } from "./run-command.ts"
import { askAboutGap, showMoreComments } from "./show-gaps.ts"
import { shareReport, showChanges, showReport } from "./show-report.ts"
import { reportView } from "./stored-reports.ts"
import type { VisitorsContext } from "./visitors-context.ts"
import { RUN_MEANT } from "./visitors-help.ts"

/** Buttons and menus of the reports about visitors and requests, by `action_id`. */
export const reportClicks: Clicks<VisitorsContext> = {
  [visitorActions.range]: turning((selection, picked, today) => {
    const range = parseRange(picked, today)
    return isFault(range) ? selection : { ...selection, range, page: 1 }
  }),
  [visitorActions.previous]: turning(toPage),
  [visitorActions.next]: turning(toPage),
  [visitorActions.back]: turning((selection) => selection),
  [visitorActions.changed]: onOwnReport(async (visitors, click, selection, id) => {
    return { work: () => showChanges(visitors, click, selection, id) }
  }),
  [visitorActions.share]: onOwnReport(async (visitors, click, selection, id) => {
    return { ack: await shareReport(visitors, click, selection, id) }
  }),
  // Further clicks on the same report start no second export.
  [visitorActions.csv]: onOwnReport(async ({ csvs }, click, selection, id) => {
    return (await csvs.add(click, id, selection)) ? {} : { ack: CSV_ON_ITS_WAY }
  }),
  [SHARE_OUTCOMES]: shareOutcomes,
  [ALERT_REPORT]: admitted(openAlert),
  [RUN_MEANT]: runMeant,
  [GAPS_MORE]: admitted(async (visitors, click) => {
    return { work: () => showMoreComments(visitors, click) }
  }),
  [GAP_ASK]: admitted(async (visitors, click) => ({ work: () => askAboutGap(visitors, click) })),
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
    const selection = await visitors.shown.load(reportView, { user: click.user }, id)
    return selection
      ? use(visitors, click, selection, id)
      : { ack: expired("report", "/docs-visitors") }
  })
}

/** Shows another part of a report in its place. @param turned gets what a control names */
function turning(turned: (selection: Selection, picked: string, today: string) => Selection) {
  return onOwnReport(async (visitors, click, selection) => {
    const [, picked = ""] = click.value.split(".")
    const other = turned(selection, picked, dayOf(await currentTime(visitors.context.store)))
    return { work: () => showReport(visitors, click, other, { replace: true }) }
  })
}

function toPage(selection: Selection, picked: string): Selection {
  return { ...selection, page: /^[1-9]\d{0,5}$/.test(picked) ? Number(picked) : 1 }
}

/** Shows an alert's report privately to anyone in its channel. */
async function openAlert(visitors: VisitorsContext, click: Click): Promise<Reply> {
  const { channel = "", value } = click
  const selection = await visitors.shown.load(reportView, { channel }, value)
  if (!selection) return { ack: expired("report", "/docs-visitors &lt;date&gt;") }
  return { work: () => showReport(visitors, click, selection) }
}
