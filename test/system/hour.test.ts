import { expect, test } from "vitest"
import { startRedisServer } from "../helpers/redis-server.ts"
import { report, runHour, WEATHERS } from "../hour/run.ts"

/** `npm run test:hour` runs the same for longer. */
const SECONDS = 12
/** Three windows: the share that is used counts from the end of the first. */
const SATURATED_SECONDS = 60

// All at a time: most of it is waiting for the windows to end.
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
