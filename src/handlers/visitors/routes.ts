import type { Message } from "../../slack/message.ts"
import type { SlackRoutes } from "../../slack/router.ts"
import { refusedMessage, unknownProjectMessage } from "../../views/submission.ts"
import { type VisitorAction, visitorActions } from "../../views/visitors/action-ids.ts"
import { expiredMessage } from "../../views/visitors/notices.ts"
import { tell } from "../actions.ts"
import { answer, failureMessage, type RouteDeps } from "../answer.ts"
import { openForm } from "../form.ts"
import {
  type ActionPayload,
  actionPayload,
  type CommandPayload,
  commandPayload,
  readPayload,
} from "../payloads.ts"
import { projectFor, projectNames } from "../project.ts"
import { isFirstTime } from "../replay.ts"
import { pageToImprove, visitorsAction } from "./actions.ts"
import { visitorsCommand } from "./command.ts"
import type { Used, VisitorsDeps } from "./deps.ts"

export interface VisitorsRouteDeps extends RouteDeps {
  visitors: VisitorsDeps
}

type Routes = SlackRoutes<VisitorsRouteDeps>

export const docsVisitors: Routes["commands"][string] = async (deps, { body, ack }) => {
  const command = readPayload(commandPayload, body)
  const begun = begin(deps, command)
  await ack(await answer(deps, "/docs-visitors", async () => (await begun).ack))
  // A slow store may have let the ack go first; a failed one has been answered and logged.
  const { work } = await begun.catch(() => ({ work: undefined }))
  if (work && (await isFirstTime(deps.agent.queue, command))) await work()
}

/** A control of a report. */
export function useReport(action: VisitorAction): Routes["actions"][string] {
  return async (deps, { body, ack }) => {
    await ack()
    await use(deps, action, readPayload(actionPayload, body))
  }
}

/** Who may ask, and about which project; the answer itself comes after the ack. */
async function begin(
  { agent, visitors }: VisitorsRouteDeps,
  command: CommandPayload,
): Promise<{ ack?: Message | undefined; work?: (() => Promise<void>) | undefined }> {
  const who = { user: command.user_id, channel: command.channel_id }
  const entry = await agent.gate(who)
  if (!entry.allowed)
    return { ack: refusedMessage(entry.refusal, who.user, [...agent.rules.admins]) }
  const { choice, words } = await projectFor(agent, who.channel, command.text.trim())
  if ("unknown" in choice)
    return { ack: unknownProjectMessage(choice.unknown, projectNames(agent)) }
  return visitorsCommand(visitors, {
    ...who,
    team: command.team_id,
    responseUrl: command.response_url ?? "",
    text: words,
    project: choice.project,
    timeZone: entry.profile.timeZone,
  })
}

async function use(
  deps: VisitorsRouteDeps,
  action: VisitorAction,
  click: ActionPayload,
): Promise<void> {
  const { agent, visitors } = deps
  const entry = await agent.gate({ user: click.user.id, channel: click.channel?.id })
  if (!entry.allowed)
    return tell(agent, click, refusedMessage(entry.refusal, click.user.id, [...agent.rules.admins]))
  const used: Used = {
    action,
    value: click.actions[0].selected_option?.value ?? click.actions[0].value ?? "",
    user: click.user.id,
    team: click.team?.id ?? entry.profile.team,
    channel: click.channel?.id ?? "",
    responseUrl: click.response_url ?? "",
  }
  if (action !== visitorActions.improve) return visitorsAction(visitors, used)
  try {
    await improve(deps, click, used)
  } catch (error) {
    await tell(agent, click, failureMessage(deps, action, error)).catch(() => {})
  }
}

async function improve(
  { agent, visitors }: VisitorsRouteDeps,
  click: ActionPayload,
  used: Used,
): Promise<void> {
  const page = await pageToImprove(visitors, used)
  if (page) await openForm(agent, click, `Improve the page ${page.path}: `)
  else await tell(agent, click, expiredMessage())
}
