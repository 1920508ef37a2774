import { readValue, visitorActions } from "../../views/visitors/action-ids.ts"
import { rangePhrase } from "../../views/visitors/format.ts"
import { improvementRequest } from "../../views/visitors/improve.ts"
import { expiredMessage } from "../../views/visitors/notices.ts"
import { dayOf } from "../../visitors/day.ts"
import { figureNames, type Question } from "../../visitors/question.ts"
import { isFault, isRangeWord, parseRange, wordOf } from "../../visitors/range.ts"
import { tell } from "../tell.ts"
import { offerCsv, startCsv } from "./csv.ts"
import type { Used, UsedOn, VisitorsDeps } from "./deps.ts"
import { share } from "./share.ts"
import { show } from "./show.ts"

/**
 * Every control under a private report, apart from "Improve this page". Acknowledge before calling:
 * some of these read from the service. A report belongs to the person who asked for it.
 */
export async function visitorsAction(deps: VisitorsDeps, used: Used): Promise<void> {
  const { id, picked } = readValue(used.value)
  const report = await deps.shown.load(id)
  if (report?.user !== used.user) await tell(deps, used, expiredMessage())
  else await act(deps, { ...used, id, picked, report })
}

/**
 * What the docs agent's form begins with for the page that was picked under "Improve this page…".
 * @returns undefined when the report is too old, or another person's
 */
export async function pageToImprove(
  { shown, now }: Pick<VisitorsDeps, "shown" | "now">,
  { user, value }: Pick<Used, "user" | "value">,
): Promise<{ project: string; initial: string } | undefined> {
  const { id, picked } = readValue(value)
  const report = await shown.load(id)
  const path = report?.user === user ? report.paths[Number(picked)] : undefined
  if (!report || path === undefined) return undefined
  const { project, range } = report.question
  const word = wordOf(range, dayOf(await now()))
  const readers = report.readers?.[Number(picked)]
  return { project, initial: improvementRequest(path, readers, rangePhrase(range, word)) }
}

async function act(deps: VisitorsDeps, used: UsedOn): Promise<void> {
  if (used.action === visitorActions.share) return share(deps, used)
  if (used.action === visitorActions.csv) return offerCsv(deps, used)
  if (used.action === visitorActions.csvStart) return startCsv(deps, used)
  const question = questionAfter(used, dayOf(await deps.now()))
  const view = used.action === visitorActions.changed ? "changes" : "report"
  if (question) await show(deps, used, question, { view, replace: true })
}

/** The question after a control; undefined for a value that no control of ours has. */
function questionAfter({ action, picked, report }: UsedOn, today: string): Question | undefined {
  const { question } = report
  switch (action) {
    case visitorActions.previous:
      return { ...question, page: Math.max(1, question.page - 1) }
    case visitorActions.next:
      return { ...question, page: question.page + 1 }
    case visitorActions.sort: {
      const by = figureNames.find((name) => name === picked)
      return by && { ...question, by, page: 1 }
    }
    case visitorActions.range: {
      const range = isRangeWord(picked) ? parseRange(picked, today) : undefined
      return range === undefined || isFault(range) ? undefined : { ...question, range, page: 1 }
    }
    default:
      return question
  }
}
