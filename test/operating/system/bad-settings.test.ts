import { expect, test } from "vitest"
import { BAD_SETTINGS } from "../../helpers/bad-settings.ts"
import { launch } from "../../helpers/process.ts"
import { useWorld } from "../../helpers/world-of-settings.ts"

const envWith = useWorld()

const kinds = BAD_SETTINGS.flatMap(({ kind, spoil, start }) =>
  start ? [[kind, { spoil, start }] as const] : [],
)

test.each(kinds)("%s: a start names the fault and the way out", async (_, { spoil, start }) => {
  const bot = launch(["all"], envWith(spoil) as Record<string, string>)
  await expect.poll(() => bot.output, { timeout: 20_000 }).toMatch(start)
  await bot.kill("SIGKILL")
})
