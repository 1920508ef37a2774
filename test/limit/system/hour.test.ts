import { expect, test } from "vitest"
import { startRedisServer } from "../../helpers/redis-server.ts"
import { report, runHour, WEATHERS } from "../../hour/run.ts"

/** Duration of a run in seconds; `npm run test:hour` runs longer. */
const SECONDS = 12

// Runs all at once: they mostly wait for windows to end.
test.concurrent.each(WEATHERS)(
  "no window holds more creations than its ceiling: $name",
  async (weather) => {
    const seed = Number(process.env.HOUR_SEED ?? Date.now() % 1_000_000)
    await using server = await startRedisServer(["--appendonly", "no"])
    const found = await runHour(server, weather, { seconds: SECONDS, seed })
    process.stdout.write(`seed ${seed} (HOUR_SEED): ${report(found)}\n`)
    expect(found.violations).toEqual([])
    expect(found.most).toBeLessThanOrEqual(weather.ceiling)
    expect(found.arrivals).toBeGreaterThan(0)
  },
)
