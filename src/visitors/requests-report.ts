import { admitted } from "../asking/access-rules.ts"
import type { Reply } from "../asking/work-after-ack.ts"
import type { Context } from "../jobs/context.ts"
import { type Day, dayOf } from "../lib/time.ts"
import { line } from "../messages/blocks.ts"
import type { Click, Command } from "../slack/payloads.ts"
import { currentTime } from "../store/script.ts"
import { isFault, parseRange, type RangeFault } from "./parse-range.ts"
import type { Range } from "./range.ts"
import { expired } from "./report-unavailable.ts"
import { outcomesOf, readOutcomes, requestsFor } from "./requests-report-figures.ts"
import { outcomeLines, outcomesMessage } from "./requests-report-message.ts"
import { shareOnce, showOwn } from "./show-report.ts"
import { outcomesView } from "./stored-reports.ts"
import type { VisitorsContext } from "./visitors-context.ts"
import { faultWords } from "./visitors-help.ts"

const DEFAULT_RANGE = "30d"
const NEXT =
  "Try `/docs-agent report`, `/docs-agent report 90d`, `/docs-agent report last month`. To ask the agent for a change, use more words."

/**
 * Reads `report [range]`. Returns undefined for a request to the agent, such as "report a wrong price
 * on the plans page": several words that are no range.
 */
export function readReportCommand(typed: string, today: Day): Range | RangeFault | undefined {
  const [isReport, words = DEFAULT_RANGE] =
    /^\s*report(?:\s+(\S.*?))?[.!?]?\s*$/is.exec(typed) ?? []
  if (isReport === undefined) return undefined
  const range = parseRange(words, today)
  const isRequest = isFault(range) && range.kind === "unknown" && /\s/.test(words)
  return isRequest ? undefined : range
}

const REPORT_OFF = line("*No report*: the audit log is off. Set `AUDIT_DAYS` to turn it on.")

/** Posts a report that this person was shown in their channel, once. */
export const shareOutcomes = admitted(async (visitors: VisitorsContext, click: Click) => {
  const { context, shown } = visitors
  const { user, value: id } = click
  const range = await shown.load(outcomesView, { user }, id)
  if (!range) return { ack: expired("report", "/docs-agent report") }
  const facts = await readOutcomes(context, range)
  const instead = await shareOnce(visitors, click, id, (level) =>
    outcomesMessage(facts, { kind: "shared", by: user }, level),
  )
  return { ack: instead }
})

/** Says in two lines what came of a project's requests, for its weekly digest. */
export async function readOutcomeLines(
  context: Context,
  project: string,
  range: Range,
): Promise<string[]> {
  const requests = await requestsFor(context, range)
  const own = requests.filter((request) => request.project === project)
  return outcomeLines(outcomesOf(own, range), context.settings.github !== undefined)
}

/** Answers `report [range]`; undefined for any other text, such as "report a wrong price". */
export async function answerReport(
  visitors: VisitorsContext,
  command: Command,
): Promise<Reply | undefined> {
  const range = readReportCommand(command.typed, dayOf(await currentTime(visitors.context.store)))
  if (range === undefined) return undefined
  const report = admitted(async ({ context }: VisitorsContext) => {
    if (isFault(range)) return { ack: line(`${faultWords(range)} ${NEXT}`) }
    if (context.settings.auditDays === 0) return { ack: REPORT_OFF }
    const work = async () => {
      const facts = await readOutcomes(context, range)
      await showOwn(visitors, command, range, (own, level) => outcomesMessage(facts, own, level))
    }
    return { work }
  })
  return report(visitors, command)
}
