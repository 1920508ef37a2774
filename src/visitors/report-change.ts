import type { Figures } from "../docs-service/answers.ts"
import { changeWords } from "./range-words.ts"
import type { Report } from "./report.ts"
import { daysIn } from "./utc-day.ts"

type Periods = Pick<Report, "selection" | "previous">

/** Returns whether the period before has as many days. Months do not always. */
export function isOfEqualLength({ selection, previous }: Periods): boolean {
  return daysIn(selection.range) === daysIn(previous)
}

/** Writes the change since the period before, or that of the daily mean if the lengths differ. */
export function changeOf(report: Report, name: keyof Figures): string {
  const { figures, before, previous, selection } = report
  const longer = daysIn(selection.range) / daysIn(previous)
  const change = changeWords(figures[name], (before?.[name] ?? 0) * longer)
  return isOfEqualLength(report) || !/%/.test(change) ? change : `${change} a day`
}
