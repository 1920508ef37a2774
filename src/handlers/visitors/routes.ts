import { projectFor, projectNames } from "../../jobs/project-choice.ts"
import type { Click } from "../../slack/payload-interactions.ts"
import type { Command } from "../../slack/payloads.ts"
import { unknownProjectMessage } from "../../views/request-messages.ts"
import { type VisitorAction, visitorActions } from "../../views/visitors/action-ids.ts"
import { gapsExpiredMessage } from "../../views/visitors/gap-notices.ts"
import { type GapAction, gapActions } from "../../views/visitors/gaps.ts"
import { brokenMessage, expiredMessage } from "../../views/visitors/notices.ts"
import { admit, patiently } from "../admit.ts"
import type { Reply, RouteDeps } from "../answer.ts"
import { offerForm } from "../form.ts"
import { splitProject } from "../parse-command.ts"
import { tell } from "../tell.ts"
import { pageToImprove, visitorsAction } from "./actions.ts"
import { openReport } from "./alerts.ts"
import { visitorsCommand } from "./command.ts"
import type { VisitorsDeps } from "./deps.ts"
import { requestForGap, useGaps } from "./gaps.ts"

export interface VisitorsRouteDeps extends RouteDeps {
  visitors: VisitorsDeps
}

/** `/docs-visitors …`: who may ask, and about which project. */
export async function docsVisitors(
  { agent, visitors }: VisitorsRouteDeps,
  command: Command,
): Promise<Reply> {
  const entry = await admit(agent, command)
  if ("refusal" in entry) return { ack: entry.refusal }
  const { user, channel, team } = command
  const { project: typed, words: text } = splitProject(command.text.trim())
  const choice = await projectFor(agent, channel, typed)
  if ("unknown" in choice)
    return { ack: unknownProjectMessage(choice.unknown, projectNames(agent)) }
  const asker = { user, channel, team, replyUrl: command.replyUrl }
  const { timeZone } = entry.profile
  return visitorsCommand(visitors, { ...asker, text, project: choice.project, timeZone })
}

/** A control of a report: all about it comes after the acknowledgement. */
export function useReport(action: VisitorAction) {
  const sorry = action === visitorActions.improve ? undefined : brokenMessage
  return async (deps: VisitorsRouteDeps, click: Click): Promise<Reply> => ({
    work: () => use(patiently(deps), action, click),
    sorry,
  })
}

async function use(deps: VisitorsRouteDeps, action: VisitorAction, click: Click): Promise<void> {
  const { agent, visitors } = deps
  const entry = await admit(agent, click)
  if ("refusal" in entry) return tell(agent, click, entry.refusal)
  if (action === visitorActions.improve) return improve(deps, click)
  const { user, value, channel = "", replyUrl } = click
  const team = click.team ?? entry.profile.team
  await visitorsAction(visitors, { action, value, user, team, channel, replyUrl })
}

/** A control under gaps. */
export function useGapControl(action: GapAction) {
  const sorry = action === gapActions.ask ? undefined : brokenMessage
  return async (deps: VisitorsRouteDeps, click: Click): Promise<Reply> => ({
    work: () => gapControl(patiently(deps), action, click),
    sorry,
  })
}

/** "Open the report" below an alert. */
export async function useAlertReport(deps: VisitorsRouteDeps, click: Click): Promise<Reply> {
  return { work: () => alertReport(patiently(deps), click), sorry: brokenMessage }
}

async function alertReport(deps: VisitorsRouteDeps, click: Click): Promise<void> {
  const { agent, visitors } = deps
  const entry = await admit(agent, click)
  if ("refusal" in entry) return tell(agent, click, entry.refusal)
  const { user, value, channel = "", replyUrl } = click
  const team = click.team ?? entry.profile.team
  await openReport(visitors, { user, team, channel, replyUrl }, value)
}

async function gapControl(deps: VisitorsRouteDeps, action: GapAction, click: Click): Promise<void> {
  const { agent, visitors } = deps
  const entry = await admit(agent, click)
  if ("refusal" in entry) return tell(agent, click, entry.refusal)
  const { user, value, channel = "", replyUrl } = click
  const team = click.team ?? entry.profile.team
  if (action !== gapActions.ask)
    return useGaps(visitors, { action, value, user, team, channel, replyUrl })
  const request = await requestForGap(visitors, click)
  if (request) await offerForm(agent, click, request)
  else await tell(agent, click, gapsExpiredMessage())
}

async function improve({ agent, visitors }: VisitorsRouteDeps, click: Click): Promise<void> {
  const page = await pageToImprove(visitors, click)
  if (page) await offerForm(agent, click, page)
  else await tell(agent, click, expiredMessage())
}
