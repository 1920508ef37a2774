import { expect, test } from "vitest"
import { startRedisServer } from "../helpers/redis-server.ts"
import { report, runHours } from "../hour/run.ts"

/** `npm run test:hour` is the long run of the same worlds. */
const CREATIONS = 15_000

test("no rolling hour holds more creations than its ceiling, whatever goes wrong", async () => {
  const seed = Number(process.env.HOUR_SEED ?? Date.now() % 1_000_000)
  await using server = await startRedisServer(["--appendonly", "no"])

  const found = await runHours(server, { creations: CREATIONS, seed })

  process.stdout.write(`seed ${seed} (HOUR_SEED)\n${report(found).join("\n")}\n`)
  for (const { weather, most, violations } of found) {
    expect(violations, `${weather.name}, HOUR_SEED=${seed}`).toEqual([])
    expect(most, weather.name).toBeLessThanOrEqual(weather.ceiling)
  }
  const told = found.find(({ weather }) => weather.name === "at once")?.startErrorsMs ?? []
  // Nobody asks in between, so what was told holds to the minute or two that the starts take.
  expect(told.length).toBeGreaterThan(100)
  expect(Math.max(...told)).toBeLessThan(5 * 60_000)
})
