import { DocsError, orDocsError } from "../../errors/docs-error.ts"
import { changes, type Mover } from "../changes.ts"
import { addDays, type Day } from "../day.ts"
import { matches } from "../filter.ts"
import type { Readings } from "../readings.ts"
import type { PageList } from "../report.ts"
import type { Direction } from "./judge.ts"
import type { Watch } from "./ports.ts"

/** Pages that an alert names. */
const MOST_MOVERS = 3

/**
 * The pages that moved most, and in the direction of the whole, against the same weekday of the week
 * before. @returns nothing when they cannot be read: an alert does not wait for them
 */
export async function moversOf(
  readings: Readings,
  { project, of, filter }: Watch,
  day: Day,
  direction: Direction,
): Promise<Mover[]> {
  const read = (one: Day) =>
    readings.pages({ kind: "digest" }, project, { from: one, to: one }).catch(orDocsError)
  const [now, before] = [await read(day), await read(addDays(day, -7))]
  if (now instanceof DocsError || before instanceof DocsError) return []
  const sample = ({ rows, end }: PageList) => ({
    rows: filter === undefined ? rows : rows.filter(({ path }) => matches(path, filter)),
    whole: end === "complete",
  })
  const { rose, fell } = changes(sample(now.value), sample(before.value), of)
  return (direction === "spike" ? rose : fell).slice(0, MOST_MOVERS)
}
