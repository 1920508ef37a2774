import { defined } from "../../lib/defined.ts"
import type { Click } from "../../slack/payloads.ts"
import { tell } from "../../slack/private-answer.ts"
import { currentTime } from "../../store/script.ts"
import { ALERT_REPORT } from "../../visitors/alerts.ts"
import { CSV_ON_ITS_WAY } from "../../visitors/csv-export.ts"
import { requestFor } from "../../visitors/gap-request.ts"
import { GAP_ASK, requestedAlready } from "../../visitors/gap-row.ts"
import { GAPS_MORE } from "../../visitors/gaps-message.ts"
import { isRangeWord, rangeOf, type Selection } from "../../visitors/range.ts"
import { visitorActions } from "../../visitors/report-buttons.ts"
import { expired } from "../../visitors/report-notices.ts"
import { requestedOf } from "../../visitors/requested-gaps.ts"
import { showMoreComments } from "../../visitors/show-gaps.ts"
import { shareReport, showChanges, showReport } from "../../visitors/show-report.ts"
import { dayOf } from "../../visitors/utc-day.ts"
import { RUN_MEANT } from "../../visitors/visitors-help.ts"
import type { Reply } from "../acknowledge.ts"
import { admitted } from "../admitted.ts"
import { runMeant } from "../commands/docs-visitors.ts"
import type { AgentDeps } from "../deps.ts"
import { offerForm } from "../views/ask-form.ts"
import type { OnClick } from "./job-clicks.ts"

export const visitorClicks: Readonly<Record<string, OnClick>> = {
  [visitorActions.range]: turning((selection, picked, today) =>
    isRangeWord(picked) ? { ...selection, range: rangeOf(picked, today), page: 1 } : selection,
  ),
  [visitorActions.previous]: turning(toPage),
  [visitorActions.next]: turning(toPage),
  [visitorActions.back]: turning((selection) => selection),
  [visitorActions.changed]: onOwnReport(async (deps, click, selection, id) => {
    return { work: () => showChanges(deps.visitors, click, selection, id) }
  }),
  [visitorActions.share]: onOwnReport(async (deps, click, selection, id) => {
    await shareReport(deps.visitors, click, selection, id)
    return {}
  }),
  [visitorActions.csv]: onOwnReport(orderCsv),
  [ALERT_REPORT]: admitted(async (deps, click) => ({ work: () => openAlert(deps, click) })),
  [RUN_MEANT]: runMeant,
  [GAPS_MORE]: admitted(async (deps, click) => {
    return { work: () => showMoreComments(deps.visitors, click, click.value) }
  }),
  [GAP_ASK]: admitted(async (deps, click) => ({ work: () => askAboutGap(deps, click) })),
}

type OnReport = (deps: AgentDeps, click: Click, selection: Selection, id: string) => Promise<Reply>

/** Lets only the person whom a report was shown to use its controls. */
function onOwnReport(use: OnReport): OnClick {
  return admitted(async (deps, click) => {
    const [id = ""] = click.value.split(".")
    const selection = await deps.visitors.shown.loadReport(id, { user: click.user })
    return selection ? use(deps, click, selection, id) : { ack: expired("report", "") }
  })
}

/** Shows another part of a report in its place. @param turned gets what a control names */
function turning(
  turned: (selection: Selection, picked: string, today: string) => Selection,
): OnClick {
  return onOwnReport(async (deps, click, selection) => {
    const [, picked = ""] = click.value.split(".")
    const other = turned(selection, picked, dayOf(await currentTime(deps.context.store)))
    return { work: () => showReport(deps.visitors, click, other, true) }
  })
}

function toPage(selection: Selection, picked: string): Selection {
  return { ...selection, page: /^[1-9]\d{0,5}$/.test(picked) ? Number(picked) : 1 }
}

/** Stores the order of a CSV. Further clicks on the same report start no second export. */
async function orderCsv(
  deps: AgentDeps,
  { entry, user, channel, thread, replyUrl, isOwnDirect }: Click,
  selection: Selection,
  id: string,
): Promise<Reply> {
  const asker = { entry, user, ...defined({ channel, thread, replyUrl, isOwnDirect }) }
  const isNew = await deps.visitors.csvs.add(asker, id, selection)
  return isNew ? {} : { ack: CSV_ON_ITS_WAY }
}

/** Shows an alert's report privately to anyone in its channel. */
async function openAlert(deps: AgentDeps, click: Click): Promise<void> {
  const { channel = "", value } = click
  const selection = await deps.visitors.shown.loadReport(value, { channel })
  if (!selection) return tell(deps.context.slack, click, expired("report", " &lt;date&gt;"))
  await showReport(deps.visitors, click, selection)
}

/** Opens the form with a gap's evidence, unless somebody requested it meanwhile. */
async function askAboutGap(deps: AgentDeps, click: Click): Promise<void> {
  const { user, channel = "", value } = click
  const [id = "", n] = value.split(".")
  // A list is a person's own, or was posted in a channel.
  const view =
    (await deps.visitors.shown.loadGaps(id, { user })) ??
    (await deps.visitors.shown.loadGaps(id, { channel }))
  const gap = view?.gaps[Number(n)]
  if (!view || !gap) return tell(deps.context.slack, click, expired("list", " gaps"))
  const { project, range } = view
  const [requested] = await requestedOf(deps.context, deps.visitors.requested, project, [gap])
  if (requested)
    return tell(
      deps.context.slack,
      click,
      requestedAlready(requested, deps.context.settings.gitHubHost),
    )
  const prompt = { words: requestFor(gap, range) }
  await offerForm(deps, click, { project, prompt, gaps: gap.keys })
}
