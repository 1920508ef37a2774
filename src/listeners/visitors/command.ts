import { unknownProjectMessage } from "../../messages/refusals.ts"
import { faultMessage, HELP } from "../../messages/visitors/help.ts"
import type { Command } from "../../slack/payloads.ts"
import { typedText } from "../../text/plain-text.ts"
import { parseCommand, type VisitorsCommand } from "../../visitors/command.ts"
import { dayOf } from "../../visitors/day.ts"
import type { VisitorsDeps } from "../../visitors/deps.ts"
import {
  listAlerts,
  listDigests,
  subscribe,
  turnOff,
  turnOn,
  unsubscribe,
} from "../../visitors/subscriptions.ts"
import type { Reply } from "../answer.ts"
import { admit } from "../ask.ts"
import { projectFor } from "../deps.ts"
import { splitProject } from "../words.ts"
import type { VisitorsRouteDeps } from "./clicks.ts"
import { inquire } from "./inquire.ts"

/**
 * Handles `/docs-visitors`. A worker reads from the service, so that the bot always answers within
 * Slack's three seconds.
 */
export async function docsVisitors(deps: VisitorsRouteDeps, command: Command): Promise<Reply> {
  const { agent, visitors } = deps
  const entry = await admit(agent, command)
  if ("refusal" in entry) return { ack: entry.refusal }
  const { user, channel } = command
  const { project: typed, words } = splitProject(command.text.trim())
  const project = projectFor(agent, channel, typed)?.key
  if (project === undefined) {
    const names = agent.projects.map(({ key }) => visitors.nameOf(key))
    return { ack: unknownProjectMessage(typed ?? "", names) }
  }
  const wanted = parseCommand(typedText(words), project, dayOf(await visitors.now()))
  if (wanted.kind === "help") return { ack: HELP }
  if (wanted.kind === "fault") return { ack: faultMessage(wanted.fault) }
  if (wanted.kind === "report" || wanted.kind === "gaps") return inquire(deps, command, wanted)
  const place = { channel, user, project }
  return { work: () => changeChannel(visitors, place, entry.profile.timeZone, wanted) }
}

/** Changes a channel's digests or alerts. @returns the private answer */
async function changeChannel(
  deps: VisitorsDeps,
  place: { channel: string; user: string; project: string },
  zone: string,
  command: Exclude<VisitorsCommand, { kind: "help" | "fault" | "report" | "gaps" }>,
) {
  switch (command.kind) {
    case "subscribe":
      return subscribe(deps, { ...place, zone, rhythm: command.rhythm })
    case "unsubscribe":
      return unsubscribe(deps, place, command.every)
    case "subscriptions":
      return listDigests(deps, place.channel)
    case "alert":
      return command.turn === "on"
        ? turnOn(deps, place, command.watched)
        : turnOff(deps, place, command.watched)
    case "alert_list":
      return listAlerts(deps, place.channel)
  }
}
