import { SMALLEST, WEEKS } from "../../src/visitors/alerts/judge.ts"
import { seededRandom } from "../sandbox/docs-service/seeded.ts"

/** Visitors of one kind on each day, and what was planted on which of them. */
export interface SimulatedSeries {
  days: readonly number[]
  planted: ReadonlyMap<number, "spike" | "drop">
}

const YEAR = 365
/** Known before the year begins, days. */
export const LEAD = WEEKS * 7
const EVENTS = 8

/**
 * A year of visitors of one kind, and the weeks before it: from a few dozen a day to some thousands, with
 * a weekday's share of its own, growth or decline, days that hang together with the day before, and days
 * without data. With `events` some days, weeks apart, have twice or half of what they would have had.
 */
export function simulatedSeries(seed: number, events: boolean): SimulatedSeries {
  const random = seededRandom(seed)
  const normal = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
  const level = 60 * 200 ** random()
  const weekend = 0.3 + 0.7 * random()
  const growth = Math.log(0.7 + 1.5 * random()) / YEAR
  const noise = 0.04 + 0.1 * random()
  const memory = 0.4 * random()
  let luck = 0
  const length = LEAD + YEAR
  const usual = Array.from({ length }, (_, day) => {
    luck = memory * luck + Math.sqrt(1 - memory ** 2) * noise * normal()
    return level * Math.exp(growth * day + luck) * (day % 7 < 5 ? 1 : weekend)
  })
  const planted = new Map<number, "spike" | "drop">()
  for (let n = 0; events && n < EVENTS; n += 1) {
    const day = LEAD + Math.floor(((n + 0.2 + 0.6 * random()) * YEAR) / EVENTS)
    const isLarge = (usual[day] ?? 0) >= 1.5 * SMALLEST
    if (isLarge) planted.set(day, random() < 0.5 ? "spike" : "drop")
  }
  const factor = { spike: 2, drop: 0.5, none: 1 }
  const days = usual.map((mean, day) => {
    if (!planted.has(day) && random() < 0.01) return 0
    const expected = mean * factor[planted.get(day) ?? "none"]
    return Math.max(0, Math.round(expected + Math.sqrt(expected) * normal()))
  })
  return { days, planted }
}
