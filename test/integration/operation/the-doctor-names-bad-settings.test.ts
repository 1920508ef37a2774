import { afterAll, beforeAll, beforeEach, expect, test } from "vitest"
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

test.each(BAD_SETTINGS.map((bad) => [bad.kind, bad] as const))(
  "%s: the doctor names the fault and the way out",
  async (_, { spoil, doctor }) => {
    const env = { ...own.world.env, ...spoil(own.world) }
    const { output } = await runDoctor(env, { json: false })
    expect(output).toMatch(doctor)
    // Nothing else is called a fault: an operator mends what is broken.
    expect(output.match(/^fault/gm)?.length ?? 0).toBeLessThanOrEqual(1)
  },
)
