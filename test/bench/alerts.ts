import { judge, type Verdict, WEEKS } from "../../src/visitors/alerts/judge.ts"
import { follow, type Story } from "../../src/visitors/alerts/story.ts"
import { LEAD, type SimulatedSeries, simulatedSeries } from "../helpers/simulated-visitors.ts"
import type { Bench } from "./kit/bench.ts"
import { alone } from "./kit/rounds.ts"

const SERIES = 200
const SEED = 20_261_122
const QUARTERS = 4
const DAY_MS = 86_400_000
const FIRST = Date.UTC(2026, 0, 1)

/** In simulated time: what it says depends on the rule alone, not on the machine. */
export const alerts: Bench = {
  title: "what the alerts about visitors find, and how often they are wrong",
  needsRedis: false,

  async run({ share }) {
    const channels = Array.from({ length: SERIES * share }, (_, n) =>
      // People and AI: a channel hears of both.
      [0, 1].map((kind) => watched(simulatedSeries(SEED + 2 * n + kind, n % 2 === 0))),
    )
    const [eventful, calm] = [
      channels.filter((_, n) => n % 2 === 0),
      channels.filter((_, n) => n % 2 === 1),
    ]
    const found = sum(eventful.flat().map((one) => one.found))
    const drops = { found: sum(eventful.flat().map((one) => one.drops)), of: 0 }
    drops.of = sum(eventful.flat().map((one) => one.plantedDrops))
    const planted = sum(eventful.flat().map((one) => one.planted))
    const spikes = { found: found - drops.found, of: planted - drops.of }
    const falsely = (of: typeof channels) =>
      of.map((series) => sum(series.map((one) => one.falsely)) / QUARTERS)
    return {
      rows: [
        alone("drops", "halvings of a day that are found", "%", percent(drops), { atLeast: 95 }),
        alone("spikes", "doublings of a day that are found", "%", percent(spikes), {
          atLeast: 95,
        }),
        alone(
          "false",
          "false alarms a channel and quarter, with events",
          "",
          mean(falsely(eventful)),
          {
            atMost: 1,
          },
        ),
        alone("false_calm", "the same, without any", "", mean(falsely(calm)), { atMost: 1 }),
        alone("false_worst", "the same, of the worst channel", "", Math.max(...falsely(channels))),
        alone("above", "channels with more than one a quarter", "%", above(falsely(channels))),
      ],
      notes: [
        `${channels.length} channels in simulated time, each with a year of people and one of AI, seeds from ${SEED}; half of them have one-day events, ${planted} in all.`,
        "From a few dozen to a few thousand visitors a day; days vary by 4 to 14% by chance, and one in a hundred has no data.",
      ],
    }
  },
}

/** Goes through a year as the bot does, day by day. */
function watched({ days, planted }: SimulatedSeries) {
  let story: Story | undefined
  const counts = { found: 0, drops: 0, planted: planted.size, plantedDrops: 0, falsely: 0 }
  counts.plantedDrops = [...planted.values()].filter((kind) => kind === "drop").length
  for (let day = LEAD; day < days.length; day += 1) {
    const verdict = verdictOn(days, day)
    const date = new Date(FIRST + day * DAY_MS).toISOString().slice(0, 10)
    const now = follow(story, [{ day: date, visitors: days[day] ?? 0, verdict }])
    story = now.story
    const began = now.news.began?.story.direction
    const event = planted.get(day)
    if (began && began === event) {
      counts.found += 1
      if (event === "drop") counts.drops += 1
    } else if (began) counts.falsely += 1
  }
  return counts
}

function verdictOn(days: readonly number[], day: number): Verdict {
  const before = Array.from({ length: WEEKS }, (_, week) => days[day - 7 * (week + 1)] ?? 0)
  return judge(days[day] ?? 0, before)
}

function percent({ found, of }: { found: number; of: number }): number {
  return (100 * found) / of
}

function above(rates: readonly number[]): number {
  return percent({ found: rates.filter((rate) => rate > 1).length, of: rates.length })
}

function mean(figures: readonly number[]): number {
  return sum(figures) / figures.length
}

function sum(figures: readonly number[]): number {
  return figures.reduce((all, one) => all + one, 0)
}
