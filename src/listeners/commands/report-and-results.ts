import { admit } from "../../asking/admit.ts"
import {
  REPORT_OFF,
  readReportCommand,
  reportFault,
  reportOutcomes,
} from "../../operating/report-outcomes.ts"
import { changeResults, readResultsCommand } from "../../pulls/results-channels.ts"
import { RESULTS_HOW } from "../../pulls/results-line.ts"
import type { Command } from "../../slack/payloads.ts"
import { currentTime } from "../../store/script.ts"
import { isFault } from "../../visitors/parse-range.ts"
import { dayOf } from "../../visitors/utc-day.ts"
import { actOnce, type Reply } from "../acknowledge.ts"
import type { AgentDeps } from "../deps.ts"

/** Answers `report [range]`; undefined for any other text, such as "report a wrong price". */
export async function answerReport(deps: AgentDeps, command: Command): Promise<Reply | undefined> {
  if (!/^\s*report\b/i.test(command.typed)) return undefined
  const range = readReportCommand(command.typed, dayOf(await currentTime(deps.context.store)))
  if (range === undefined) return undefined
  const entry = await admit(deps.context, command)
  if ("refusal" in entry) return { ack: entry.refusal }
  if (isFault(range)) return { ack: reportFault(range) }
  if (deps.context.settings.auditDays === 0) return { ack: REPORT_OFF }
  return { work: () => reportOutcomes(deps.visitors, command, range) }
}

/** Answers `results on|off|list`; undefined for any other text, such as "results page is empty". */
export async function answerResults(deps: AgentDeps, command: Command): Promise<Reply | undefined> {
  const wish = readResultsCommand(command.typed)
  if (wish === undefined) return undefined
  const entry = await admit(deps.context, command)
  if ("refusal" in entry) return { ack: entry.refusal }
  if (wish === "unclear") return { ack: RESULTS_HOW }
  const change = async () => ({ ack: await changeResults(deps.context, command, wish) })
  return actOnce(deps, command.triggerId, change)
}
