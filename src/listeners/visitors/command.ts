import { gapsMessage, gapsShown } from "../../messages/visitors/gaps.ts"
import { faultMessage, helpMessage } from "../../messages/visitors/help.ts"
import { unavailable } from "../../messages/visitors/notices.ts"
import { typedText } from "../../text/plain-text.ts"
import { listAlerts, turnOff, turnOn } from "../../visitors/alerts.ts"
import { parseCommand, type VisitorsCommand } from "../../visitors/command.ts"
import { dayOf } from "../../visitors/day.ts"
import { listDigests, subscribe, unsubscribe } from "../../visitors/digest.ts"
import type { Range } from "../../visitors/range.ts"
import type { Reply } from "../answer.ts"
import { tell } from "../tell.ts"
import { type Asker, show, type VisitorsDeps } from "./report.ts"

interface TypedCommand extends Asker {
  /** As Slack delivers it, with its three escapes, and without a `project=` in front. */
  text: string
  /** The project that is asked about, by its key. */
  project: string
  /** IANA name from the person's profile. */
  timeZone: string
}

/**
 * `/docs-visitors`. Needs no service to be acknowledged, and of Redis no more than its clock, so Slack's
 * three seconds are never at risk. A process that dies between the ack and the answer loses a private
 * reading that can be asked for again.
 */
export async function visitorsCommand(deps: VisitorsDeps, typed: TypedCommand): Promise<Reply> {
  const today = dayOf(await deps.now())
  const command = parseCommand(typedText(typed.text), typed.project, today)
  if (command.kind === "help") return { ack: helpMessage() }
  if (command.kind === "fault") return { ack: faultMessage(command.fault) }
  return { work: () => answer(deps, typed, command) }
}

type Work = Exclude<VisitorsCommand, { kind: "help" } | { kind: "fault" }>

async function answer(deps: VisitorsDeps, typed: TypedCommand, command: Work): Promise<void> {
  if (command.kind === "report")
    return show(deps, typed, { question: command.question, view: "report" })
  if (command.kind === "gaps") return showGaps(deps, typed, command.range)
  const words = await changeChannel(deps, typed, command)
  if (words) await tell(deps, typed, words)
}

/** Changes what a channel gets by itself. @returns what to say privately */
function changeChannel(
  deps: VisitorsDeps,
  { team, channel, user, project, timeZone: zone }: TypedCommand,
  command: Exclude<Work, { kind: "report" } | { kind: "gaps" }>,
) {
  const place = { team, channel, user }
  switch (command.kind) {
    case "subscribe":
      return subscribe(deps, { ...place, project, zone, rhythm: command.rhythm })
    case "unsubscribe":
      return unsubscribe(deps, place, command.every)
    case "subscriptions":
      return listDigests(deps, place)
    case "alert":
      return command.turn === "on"
        ? turnOn(deps, { ...place, project }, command.watched)
        : turnOff(deps, place, command.watched)
    default:
      return listAlerts(deps, place)
  }
}

/** Answers privately what readers did not find. */
async function showGaps(deps: VisitorsDeps, typed: TypedCommand, range: Range): Promise<void> {
  const { user, project } = typed
  const answered = await deps.askGaps(user, project, range)
  if (answered.kind === "unavailable") return tell(deps, typed, unavailable("gaps", answered.why))
  const { report } = answered
  const id = await deps.shown.saveGaps(user, { project, range, gaps: gapsShown(report) })
  await tell(deps, typed, gapsMessage(report, id))
}
