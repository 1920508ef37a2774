import { SlackError } from "../../errors/slack-error.ts"
import {
  cannotMessageYou,
  exportBegun,
  exportQuestion,
  exportStarted,
} from "../../views/visitors/export.ts"
import { unavailableMessage } from "../../views/visitors/notices.ts"
import type { ExportSize } from "../../visitors/export-ports.ts"
import { fitsTheHour, planExport, startExport } from "../../visitors/exports.ts"
import { tell } from "../tell.ts"
import type { UsedOn, VisitorsDeps } from "./deps.ts"

/** Starts a CSV that the hour has room for; asks first about one that takes longer. */
export async function offerCsv(deps: VisitorsDeps, used: UsedOn): Promise<void> {
  const { question } = used.report
  const answer = await planExport(deps.exports, question, used.user)
  if (answer.kind === "unavailable") {
    const words = unavailableMessage(question.range, answer.why)
    return tell(deps, used, words)
  }
  if (answer.kind === "at_once") return start(deps, used, undefined, false)
  if (fitsTheHour(answer.plan)) return start(deps, used, answer.plan.size, false)
  await tell(deps, used, exportQuestion(used.id, answer.plan))
}

/** "Start" under the question. What it takes was read a moment ago and is remembered. */
export async function startCsv(deps: VisitorsDeps, used: UsedOn): Promise<void> {
  const answer = await planExport(deps.exports, used.report.question, used.user)
  await start(deps, used, answer.kind === "plan" ? answer.plan.size : undefined, true)
}

/**
 * The file goes to the person's direct messages: a report is private, a response_url is good for 30
 * minutes only, and the bot need not be in the channel.
 */
async function start(
  deps: VisitorsDeps,
  used: UsedOn,
  size: ExportSize | undefined,
  replace: boolean,
): Promise<void> {
  const { outbound, exports } = deps
  const { user, team, report } = used
  let message: { channel: string; ts: string }
  try {
    message = await outbound.direct(user, exportBegun())
  } catch (error) {
    if (!(error instanceof SlackError)) throw error
    return tell(deps, used, cannotMessageYou(error), replace)
  }
  const recipient = { user, ...message }
  const { joined } = await startExport(exports, report.question, team, size, recipient)
  await tell(deps, used, exportStarted(joined), replace)
}
