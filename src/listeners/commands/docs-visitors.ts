import { admit } from "../../asking/admit.ts"
import { chooseProject, noSuchProject, splitProject } from "../../asking/choose-project.ts"
import type { Command } from "../../slack/payloads.ts"
import { isCommandFault, parseCommand } from "../../visitors/command.ts"
import { showGaps } from "../../visitors/show-gaps.ts"
import { showReport } from "../../visitors/show-report.ts"
import * as subscriptions from "../../visitors/subscriptions.ts"
import { dayOf } from "../../visitors/utc-day.ts"
import { faultMessage, HELP } from "../../visitors/visitors-help.ts"
import type { Reply } from "../acknowledge.ts"
import type { AgentDeps } from "../deps.ts"

/** Answers `/docs-visitors`. Reads numbers after the acknowledgement, because that takes longer. */
export async function docsVisitors(deps: AgentDeps, command: Command): Promise<Reply> {
  const entry = await admit(deps, command)
  if ("refusal" in entry) return { ack: entry.refusal }
  const { user, channel } = command
  // Here `project=` may also stand last, where a prompt could mean it as its own words.
  const text = command.typed.trim().replace(/^(.+)\s(project=\S+)$/is, "$2 $1")
  const { project: typed, words } = splitProject(text)
  const project = chooseProject(deps, channel, typed)?.key
  if (project === undefined) return { ack: noSuchProject(deps, typed) }
  const asker = { channel, user, project, zone: entry.profile.timeZone }
  const wanted = parseCommand(words, project, dayOf(await deps.now()))
  if (isCommandFault(wanted)) return { ack: faultMessage(wanted, typed) }
  switch (wanted.kind) {
    case "help":
      return { ack: HELP }
    case "report":
      return { work: () => showReport(deps, command, wanted.selection) }
    case "gaps":
      return { work: () => showGaps(deps, command, wanted) }
    case "subscribe":
      return subscriptions.subscribe(deps, { ...asker, rhythm: wanted.rhythm })
    case "unsubscribe":
      return subscriptions.unsubscribe(deps, asker, wanted.every, typed && project)
    case "subscriptions":
      return subscriptions.listDigests(deps, channel)
    case "alert": {
      const { turn, watched } = wanted
      if (turn === "on") return subscriptions.turnOn(deps, asker, watched)
      const meant = typed === undefined ? watched : { ...watched, project }
      return subscriptions.turnOff(deps, asker, meant)
    }
    case "alert_list":
      return subscriptions.listAlerts(deps, channel)
  }
}
