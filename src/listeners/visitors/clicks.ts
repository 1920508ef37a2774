import { ALERT_REPORT } from "../../messages/visitors/alerts.ts"
import { type VisitorAction, visitorActions } from "../../messages/visitors/controls.ts"
import { GAP_ASK, requestFor } from "../../messages/visitors/gaps.ts"
import { expired } from "../../messages/visitors/notices.ts"
import type { Click } from "../../slack/payloads.ts"
import { sendCsv } from "../../visitors/csv.ts"
import { dayOf } from "../../visitors/day.ts"
import { isFault, isRangeWord, parseRange } from "../../visitors/range.ts"
import type { Question } from "../../visitors/report.ts"
import type { Reply, RouteDeps } from "../answer.ts"
import { admit } from "../ask.ts"
import { tell } from "../tell.ts"
import { offerForm } from "../views/form.ts"
import { type Asker, share, show, type VisitorsDeps } from "./report.ts"

export interface VisitorsRouteDeps extends RouteDeps {
  visitors: VisitorsDeps
}

type Use = (deps: VisitorsRouteDeps, asker: Asker, click: Click) => Promise<void>

/** Controls of reports, gaps and alerts, by `action_id`. All about a click comes after its acknowledgement. */
export function visitorClicks(
  deps: VisitorsRouteDeps,
): Readonly<Record<string, (click: Click) => Promise<Reply>>> {
  const uses: [string, Use][] = [
    ...Object.values(visitorActions).map((action): [string, Use] => [
      action,
      ({ visitors }, asker, { value }) => useReport(visitors, asker, action, value),
    ]),
    [GAP_ASK, askAboutGap],
    [ALERT_REPORT, openAlertReport],
  ]
  const clicks = uses.map(([action, use]) => [
    action,
    async (click: Click): Promise<Reply> => ({
      work: () => admitted(deps, click, use),
      // It takes as long as it takes, and says itself how far it is.
      unasked: action === visitorActions.csv,
    }),
  ])
  return Object.fromEntries(clicks)
}

async function admitted(deps: VisitorsRouteDeps, click: Click, use: Use): Promise<void> {
  const entry = await admit(deps.agent, click)
  if ("refusal" in entry) return tell(deps.agent, click, entry.refusal)
  const { user, channel = "", replyUrl } = click
  const team = click.team ?? entry.profile.team
  await use(deps, { user, team, channel, replyUrl }, click)
}

/** A control under a private report, which belongs to the person who asked for it. */
async function useReport(deps: VisitorsDeps, asker: Asker, action: VisitorAction, value: string) {
  const [id = "", picked = ""] = value.split(".")
  const { user } = asker
  const shown = await deps.shown.loadReport(id, { user })
  if (!shown) return tell(deps, asker, expired("report", ""))
  if (action === visitorActions.share) return share(deps, asker, id, shown)
  if (action === visitorActions.csv)
    return sendCsv(deps, user, shown.question, (words) => tell(deps, asker, words))
  const question = questionAfter(action, picked, shown.question, dayOf(await deps.now()))
  const view = action === visitorActions.changed ? "changes" : "report"
  if (question) await show(deps, asker, { question, view }, true)
}

/** The question that a control leads to, or undefined if the value isn't one of ours. */
function questionAfter(
  action: VisitorAction,
  picked: string,
  question: Question,
  today: string,
): Question | undefined {
  if (action === visitorActions.previous)
    return { ...question, page: Math.max(1, question.page - 1) }
  if (action === visitorActions.next) return { ...question, page: question.page + 1 }
  if (action !== visitorActions.range) return question
  const range = isRangeWord(picked) ? parseRange(picked, today) : undefined
  return range === undefined || isFault(range) ? undefined : { ...question, range, page: 1 }
}

/** "Open the report" below an alert: everybody in its channel may, each for themselves. */
async function openAlertReport({ visitors }: VisitorsRouteDeps, asker: Asker, { value }: Click) {
  const { channel } = asker
  const linked = await visitors.shown.loadReport(value, { channel })
  if (linked) await show(visitors, asker, linked)
  else await tell(visitors, asker, expired("report", " yesterday"))
}

/** "Ask the docs agent" beside a gap: the form, with the evidence in it. */
async function askAboutGap({ agent, visitors }: VisitorsRouteDeps, { user }: Asker, click: Click) {
  const [id = "", n] = click.value.split(".")
  const found = await visitors.shown.loadGap(id, Number(n), user)
  if (!found) return tell(agent, click, expired("list", " gaps"))
  const { project, range, gap } = found
  await offerForm(agent, click, { project, initial: requestFor(gap, range) })
}
