import { expect, test } from "vitest"
import { startRedisServer } from "../../helpers/redis-server.ts"
import { report, runHour, WEATHERS } from "../../hour/run.ts"

/** Duration of a run in seconds; `npm run test:hour` runs longer. */
const SECONDS = 12
/** Duration of two windows in seconds: use of the ceiling counts after the first. */
const SATURATED_SECONDS = 40

// Runs all at once: they mostly wait for windows to end.
test.concurrent.each(WEATHERS)(
  "no window holds more creations than its ceiling: $name",
  async (weather) => {
    const seed = Number(process.env.HOUR_SEED ?? Date.now() % 1_000_000)
    await using server = await startRedisServer(["--appendonly", "no"])
    const isSaturated = weather.name === "saturated"
    const seconds = isSaturated ? SATURATED_SECONDS : SECONDS
    const found = await runHour(server, weather, { seconds, seed })
    process.stdout.write(`seed ${seed} (HOUR_SEED): ${report(found)}\n`)
    expect(found.violations).toEqual([])
    expect(found.most).toBeLessThanOrEqual(weather.ceiling)
    expect(found.arrivals).toBeGreaterThan(0)
    if (isSaturated) expect(found.used).toBeGreaterThanOrEqual(0.98)
  },
)
