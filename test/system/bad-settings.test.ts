import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest"
import { SCOPES } from "../../src/slack/scopes.ts"
import { BAD_MACHINE, BAD_SETTINGS, startWorld, type World } from "../helpers/bad-settings.ts"
import { launchBot } from "../helpers/process.ts"
import { startTestRedis, type TestRedis } from "../helpers/redis.ts"

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

describe("a start names the fault and the way out", () => {
  const kinds = [...BAD_SETTINGS, ...BAD_MACHINE].flatMap(({ kind, spoil, start }) =>
    start ? [[kind, { spoil, start }] as const] : [],
  )

  test.each(kinds)("%s", async (_, { spoil, start }) => {
    const bot = launchBot("all", { ...own.world.env, ...spoil(own.world) } as Record<
      string,
      string
    >)
    await expect.poll(() => bot.lines.join("\n"), { timeout: 20_000 }).toMatch(start)
    await bot.kill("SIGKILL")
  })

  test("of at least 60 kinds", () => expect(kinds.length).toBeGreaterThanOrEqual(60))
})
