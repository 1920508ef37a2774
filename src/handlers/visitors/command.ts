import { SlackError } from "../../errors/slack-error.ts"
import type { Message } from "../../ports/message.ts"
import { typedText } from "../../text/plain-text.ts"
import { alertFaultMessage } from "../../views/visitors/alerts.ts"
import {
  cannotSubscribeMessage,
  nothingSubscribed,
  subscribedBeforeMessage,
  subscribedMessage,
  subscriptionsMessage,
  unsubscribedMessage,
} from "../../views/visitors/digest.ts"
import {
  faultMessage,
  gapsScheduleFaultMessage,
  helpMessage,
  scheduleFaultMessage,
} from "../../views/visitors/help.ts"
import { brokenMessage } from "../../views/visitors/notices.ts"
import { dayOf } from "../../visitors/day.ts"
import { subscribe, unsubscribe } from "../../visitors/digests/subscribe.ts"
import type { Reply } from "../answer.ts"
import { tell } from "../tell.ts"
import { alertsCommand } from "./alerts.ts"
import type { Asker, VisitorsDeps } from "./deps.ts"
import { showGaps } from "./gaps.ts"
import { parseCommand, type VisitorsCommand } from "./parse-command.ts"
import { show } from "./show.ts"

const views = { subscribed: subscribedMessage, unsubscribed: unsubscribedMessage }

interface TypedCommand extends Asker {
  /** As Slack delivers it, with its three escapes, and without a `project=` in front. */
  text: string
  /** The project that is asked about, by configured name. */
  project: string
  /** IANA name from the person's profile. */
  timeZone: string
}

/**
 * `/docs-visitors`. Needs no service to be acknowledged, and of Redis no more than its clock, so
 * Slack's three seconds are never at risk. A process that dies between the ack and the answer loses a private reading that can
 * be asked for again; nothing was promised and nothing was spent on behalf of others.
 */
export async function visitorsCommand(deps: VisitorsDeps, typed: TypedCommand): Promise<Reply> {
  const today = dayOf(await deps.now())
  const command = parseCommand(typedText(typed.text), typed.project, today)
  const ack = answerAtOnce(command)
  return ack ? { ack } : { work: () => answer(deps, typed, command), sorry: brokenMessage }
}

function answerAtOnce(command: VisitorsCommand): Message | undefined {
  if (command.kind === "help") return helpMessage()
  if (command.kind === "fault") return faultMessage(command.fault)
  if (command.kind === "gaps_schedule_fault") return gapsScheduleFaultMessage()
  if (command.kind === "alert_fault") return alertFaultMessage(command.words)
  return command.kind === "schedule_fault" ? scheduleFaultMessage(command.words) : undefined
}

async function answer(
  deps: VisitorsDeps,
  typed: TypedCommand,
  command: VisitorsCommand,
): Promise<void> {
  if (command.kind === "ask")
    return show(deps, typed, command.question, { view: "report", replace: false })
  if (command.kind === "gaps") return showGaps(deps, typed, command.question)
  const words =
    command.kind === "alert"
      ? await alertsCommand(deps, typed, command.command)
      : await answerAboutDigests(deps, typed, command)
  if (words) await tell(deps, typed, words)
}

/** @returns what to say privately; nothing when it was said in the channel */
async function answerAboutDigests(
  deps: VisitorsDeps,
  typed: TypedCommand,
  command: VisitorsCommand,
): Promise<Message | undefined> {
  const { team, channel, user, project, timeZone: zone } = typed
  if (command.kind === "subscribe") {
    const subscriber = { team, channel, user, project, zone }
    const other = await subscribe({ ...deps, views }, subscriber, command.rhythm)
    if (other === undefined) return undefined
    return other instanceof SlackError
      ? cannotSubscribeMessage(other, channel)
      : subscribedBeforeMessage(other)
  }
  if (command.kind === "unsubscribe") {
    const subscriber = { team, channel, user }
    const { ended, said } = await unsubscribe({ ...deps, views }, subscriber, command.every)
    if (ended.length === 0) return nothingSubscribed()
    return said ? undefined : unsubscribedMessage(user, ended)
  }
  const subscriptions = await deps.subscriptions.ofChannel(team, channel)
  return subscriptions.length === 0 ? nothingSubscribed() : subscriptionsMessage(subscriptions)
}
