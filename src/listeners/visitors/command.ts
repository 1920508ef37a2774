import { unknownProjectMessage } from "../../messages/refusals.ts"
import { gapsMessage, gapsShown } from "../../messages/visitors/gaps.ts"
import { faultMessage, HELP } from "../../messages/visitors/help.ts"
import { unavailable } from "../../messages/visitors/notices.ts"
import type { Command } from "../../slack/payloads.ts"
import { typedText } from "../../text/plain-text.ts"
import { listAlerts, turnOff, turnOn } from "../../visitors/alerts.ts"
import { parseCommand, type VisitorsCommand } from "../../visitors/command.ts"
import { dayOf } from "../../visitors/day.ts"
import { listDigests, subscribe, unsubscribe } from "../../visitors/digest.ts"
import type { Range } from "../../visitors/range.ts"
import type { Reply } from "../answer.ts"
import { admit } from "../ask.ts"
import { projectFor } from "../deps.ts"
import { tell } from "../tell.ts"
import { splitProject } from "../words.ts"
import type { VisitorsRouteDeps } from "./clicks.ts"
import { type Asker, show, type VisitorsDeps } from "./report.ts"

/**
 * `/docs-visitors`. Needs no service to be acknowledged, so Slack's three seconds are never at risk. A
 * process that dies between the ack and the answer loses a private reading that can be asked for again.
 */
export async function docsVisitors(
  { agent, visitors }: VisitorsRouteDeps,
  command: Command,
): Promise<Reply> {
  const entry = await admit(agent, command)
  if ("refusal" in entry) return { ack: entry.refusal }
  const { user, channel, team, replyUrl } = command
  const { project: typed, words } = splitProject(command.text.trim())
  const project = projectFor(agent, channel, typed)?.key
  if (project === undefined) {
    const names = agent.projects.map(({ key }) => visitors.nameOf(key))
    return { ack: unknownProjectMessage(typed ?? "", names) }
  }
  const wanted = parseCommand(typedText(words), project, dayOf(await visitors.now()))
  if (wanted.kind === "help") return { ack: HELP }
  if (wanted.kind === "fault") return { ack: faultMessage(wanted.fault) }
  const asker = { user, channel, team, replyUrl }
  if (wanted.kind === "report")
    return { work: () => show(visitors, asker, { question: wanted.question, view: "report" }) }
  if (wanted.kind === "gaps")
    return { work: () => showGaps(visitors, asker, project, wanted.range) }
  return {
    async work() {
      const place = { team, channel, user, project, zone: entry.profile.timeZone }
      const words = await changeChannel(visitors, place, wanted)
      if (words) await tell(visitors, asker, words)
    },
  }
}

/** Changes what a channel gets by itself. @returns what to say privately */
function changeChannel(
  deps: VisitorsDeps,
  place: { team: string; channel: string; user: string; project: string; zone: string },
  command: Exclude<VisitorsCommand, { kind: "help" | "fault" | "report" | "gaps" }>,
) {
  switch (command.kind) {
    case "subscribe":
      return subscribe(deps, { ...place, rhythm: command.rhythm })
    case "unsubscribe":
      return unsubscribe(deps, place, command.every)
    case "subscriptions":
      return listDigests(deps, place)
    case "alert":
      return command.turn === "on"
        ? turnOn(deps, place, command.watched)
        : turnOff(deps, place, command.watched)
    case "alert_list":
      return listAlerts(deps, place)
  }
}

/** Answers privately what readers did not find. */
async function showGaps(deps: VisitorsDeps, asker: Asker, project: string, range: Range) {
  const { user } = asker
  const answered = await deps.askGaps(user, project, range)
  if ("missing" in answered) return tell(deps, asker, unavailable("gaps", answered.missing))
  const { report } = answered
  const id = await deps.shown.save({ user }, { project, range, gaps: gapsShown(report) })
  await tell(deps, asker, gapsMessage(report, id))
}
