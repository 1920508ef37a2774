import { Redis } from "ioredis"
import { quantile } from "../helpers/quantile.ts"
import type { RedisServer } from "../helpers/redis-server.ts"
import { WEATHERS, type Weather } from "./weather.ts"
import { World } from "./world.ts"

/** Worlds that live at the same time, each in a database of its own, so that round trips overlap. */
const AT_ONCE = 16
const WORLD_CREATIONS = 4000

/** What one kind of weather came to. */
export interface Findings {
  weather: Weather
  creations: number
  most: number
  /** Share of the ceiling that was used, at the least. */
  used: number
  longestOvertaking: number
  startErrorsMs: number[]
  placeErrors: number[]
  kills: number
  forgotten: number
  /** Changes of the settings, each with a restart of every process. */
  reconfigured: number
  createdTwice: number
  violations: string[]
}

/** Runs every kind of weather for its share of the creations. */
export async function runHours(
  server: RedisServer,
  { creations, seed }: { creations: number; seed: number },
): Promise<Findings[]> {
  const tasks = WEATHERS.flatMap(({ share, weather }) => {
    const all = Math.ceil(creations * share)
    const worlds = Math.max(1, Math.round(all / WORLD_CREATIONS))
    return Array.from({ length: worlds }, () => ({ weather, creations: Math.ceil(all / worlds) }))
  })
  const worlds: World[] = []
  let next = 0
  const lane = async (db: number) => {
    const redis = new Redis({ port: server.port, db })
    // Each name that a project gets is read again after a connect.
    redis.setMaxListeners(0)
    try {
      for (let n = next++; n < tasks.length; n = next++) {
        const task = tasks[n]
        if (!task) break
        const world = new World(redis, task.weather, seed + n)
        worlds.push(await world.live(task.creations))
      }
    } finally {
      redis.disconnect()
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, (_, db) => lane(db)))
  return WEATHERS.map(({ weather }) => findings(weather, worlds))
}

function findings(weather: Weather, all: readonly World[]): Findings {
  const worlds = all.filter((world) => world.weather.name === weather.name)
  const ledgers = worlds.map(({ ledger }) => ledger)
  const sum = (of: (ledger: World["ledger"]) => number) => ledgers.reduce((n, l) => n + of(l), 0)
  return {
    weather,
    creations: sum((l) => l.arrivals.length),
    most: Math.max(...ledgers.map((l) => l.mostInAnHour())),
    used: Math.min(...worlds.map((world) => world.used())),
    longestOvertaking: Math.max(...ledgers.map((l) => l.longestOvertaking)),
    startErrorsMs: ledgers.flatMap((l) => l.misjudged.map(({ startMs }) => Math.abs(startMs))),
    placeErrors: ledgers.flatMap((l) => l.misjudged.map(({ places }) => Math.abs(places))),
    kills: sum((l) => l.counts.restarts),
    forgotten: sum((l) => l.counts.forgotten),
    reconfigured: sum((l) => l.counts.reconfigured),
    createdTwice: sum((l) => l.counts.createdTwice),
    violations: ledgers.flatMap((l) => l.violations),
  }
}

/** The findings as lines to print. */
export function report(all: readonly Findings[]): string[] {
  const head = [
    "weather",
    "creations",
    "most/h",
    "used",
    "overtaken",
    "kills",
    "forgot",
    "changed",
    "twice",
  ]
  const rows = all.map((f) => [
    f.weather.name,
    f.creations,
    `${f.most} of ${f.weather.ceiling}`,
    f.weather.people === "always" ? `${(f.used * 100).toFixed(1)} %` : "-",
    f.longestOvertaking,
    f.kills,
    f.forgotten,
    f.reconfigured,
    f.createdTwice,
    ...(f.weather.judged
      ? [
          `${minutes(f, 0.5)} / ${minutes(f, 0.95)} min`,
          `${quantile(f.placeErrors, 0.5)} / ${quantile(f.placeErrors, 0.95)}`,
        ]
      : []),
  ])
  // Error of what people are told, median and p95, also where others ask after them.
  const error = ["told start, off by", "told place"]
  return [[...head, ...error], ...rows].map((row) =>
    row
      .map((cell, i) => String(cell).padEnd(i === 0 || i === 9 ? 18 : 11))
      .join(" ")
      .trimEnd(),
  )
}

function minutes({ startErrorsMs }: Findings, share: number): string {
  return (quantile(startErrorsMs, share) / 60_000).toFixed(2)
}
