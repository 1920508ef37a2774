import { readFileSync } from "node:fs"
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest"
import { readConfig } from "../../../src/config/config.ts"
import { runDoctor } from "../../../src/doctor/run.ts"
import { SCOPES } from "../../../src/slack/scopes.ts"
import { BAD_SETTINGS, startWorld, type World } from "../../helpers/bad-settings.ts"
import { startTestRedis, type TestRedis } from "../../helpers/redis.ts"

const own = {} as { redis: TestRedis; world: World }
beforeAll(async () => {
  own.redis = await startTestRedis()
  own.world = await startWorld(own.redis.url)
})
beforeEach(() => own.world.parties.slack.setScopes(Object.keys(SCOPES)))
afterAll(async () => {
  await own.world[Symbol.asyncDispose]()
  await own.redis.stop()
})

test("what is well has no fault", async () => {
  const { output, well } = await runDoctor(own.world.env, { json: false })
  expect(output).not.toMatch(/^fault/m)
  expect(well).toBe(true)
})

test("at least 72 kinds of bad settings are named by the doctor, and 60 at a start", () => {
  expect(BAD_SETTINGS.length).toBeGreaterThanOrEqual(72)
  expect(BAD_SETTINGS.filter(({ start }) => start).length).toBeGreaterThanOrEqual(60)
})

test.each(BAD_SETTINGS.map((bad) => [bad.kind, bad] as const))(
  "%s: the doctor names the fault and the way out, and so does a start",
  async (_, { spoil, doctor, start, isRefused }) => {
    const env = { ...own.world.env, ...spoil(own.world) }
    const { output } = await runDoctor(env, { json: false })
    expect(output).toMatch(doctor)
    // Whatever is thrown here is what a start prints before it ends.
    if (isRefused)
      expect(() => readConfig(env, (path) => readFileSync(path, "utf8"))).toThrow(start)
    // Nothing else is called a fault: an operator mends what is broken.
    expect(output.match(/^fault/gm)?.length ?? 0).toBeLessThanOrEqual(1)
  },
)
