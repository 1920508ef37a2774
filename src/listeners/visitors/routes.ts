import { unknownProjectMessage } from "../../messages/refusals.ts"
import { ALERT_REPORT } from "../../messages/visitors/alerts.ts"
import { type VisitorAction, visitorActions } from "../../messages/visitors/controls.ts"
import { GAP_ASK } from "../../messages/visitors/gaps.ts"
import { expired } from "../../messages/visitors/notices.ts"
import type { Click } from "../../slack/interactions.ts"
import type { Command } from "../../slack/payloads.ts"
import { requestFor } from "../../visitors/gaps.ts"
import { admit } from "../admit.ts"
import type { Reply, RouteDeps } from "../answer.ts"
import { projectFor } from "../deps.ts"
import { tell } from "../tell.ts"
import { offerForm } from "../views/form.ts"
import { splitProject } from "../words.ts"
import { visitorsCommand } from "./command.ts"
import { type Asker, show, useReportControl, type VisitorsDeps } from "./report.ts"

export interface VisitorsRouteDeps extends RouteDeps {
  visitors: VisitorsDeps
}

type Use = (deps: VisitorsRouteDeps, asker: Asker, click: Click) => Promise<void>

/** `/docs-visitors …`: who may ask, and about which project. */
export async function docsVisitors(
  { agent, visitors }: VisitorsRouteDeps,
  command: Command,
): Promise<Reply> {
  const entry = await admit(agent, command)
  if ("refusal" in entry) return { ack: entry.refusal }
  const { user, channel, team } = command
  const { project: typed, words: text } = splitProject(command.text.trim())
  const project = projectFor(agent, channel, typed)?.key
  if (project === undefined) {
    const names = agent.projects.map(({ name }) => name)
    return { ack: unknownProjectMessage(typed ?? "", names) }
  }
  const asker = { user, channel, team, replyUrl: command.replyUrl }
  const { timeZone } = entry.profile
  return visitorsCommand(visitors, { ...asker, text, project, timeZone })
}

/** A control of a report. */
function useReport(action: VisitorAction) {
  return used(({ visitors }, asker, { value }) => useReportControl(visitors, asker, action, value))
}

/** "Open the report" below an alert: everybody in its channel may, each for themselves. */
const useAlertReport = used(async ({ visitors }, asker, { value }) => {
  const { channel } = asker
  const linked = await visitors.shown.loadReport(value, { channel })
  if (linked) await show(visitors, asker, linked)
  else await tell(visitors, asker, expired("report", " yesterday"))
})

/** "Ask the docs agent" beside a gap: the form, with the evidence in it. */
const askAboutGap = used(async ({ agent, visitors }, { user }, click) => {
  const [id = "", n] = click.value.split(".")
  const found = await visitors.shown.loadGap(id, Number(n), user)
  if (!found) return tell(agent, click, expired("list", " gaps"))
  const { project, range, gap } = found
  await offerForm(agent, click, { project, initial: requestFor(gap, range) })
})

/** All about a click comes after the acknowledgement, the question who clicks included. */
function used(use: Use) {
  return async (deps: VisitorsRouteDeps, click: Click): Promise<Reply> => ({
    work: () => admitted(deps, click, use),
  })
}

async function admitted(deps: VisitorsRouteDeps, click: Click, use: Use): Promise<void> {
  const entry = await admit(deps.agent, click)
  if ("refusal" in entry) return tell(deps.agent, click, entry.refusal)
  const { user, channel = "", replyUrl } = click
  const team = click.team ?? entry.profile.team
  await use(deps, { user, team, channel, replyUrl }, click)
}

/** Controls of reports, gaps and alerts, by `action_id`. */
export function visitorClicks(
  deps: VisitorsRouteDeps,
): Readonly<Record<string, (click: Click) => Promise<Reply>>> {
  const reports = Object.values(visitorActions).map((action) => {
    const use = useReport(action)
    return [action, (click: Click) => use(deps, click)] as const
  })
  return {
    ...Object.fromEntries(reports),
    [GAP_ASK]: (click) => askAboutGap(deps, click),
    [ALERT_REPORT]: (click) => useAlertReport(deps, click),
  }
}
