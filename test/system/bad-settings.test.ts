import { afterAll, beforeAll, beforeEach, expect, test } from "vitest"
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

/** One of those that end a start before it reaches anybody, and all others. */
const tried = [
  ...BAD_SETTINGS.filter(({ isRefused }) => isRefused).slice(0, 1),
  ...BAD_SETTINGS.filter(({ isRefused }) => !isRefused),
  ...BAD_MACHINE,
]
const kinds = tried.flatMap(({ kind, spoil, start }) =>
  start ? [[kind, { spoil, start }] as const] : [],
)

test.each(kinds)("%s: a start names the fault and the way out", async (_, { spoil, start }) => {
  const env = { ...own.world.env, ...spoil(own.world) } as Record<string, string>
  const bot = launchBot("all", env)
  await expect.poll(() => bot.lines.join("\n"), { timeout: 20_000 }).toMatch(start)
  await bot.kill("SIGKILL")
})
