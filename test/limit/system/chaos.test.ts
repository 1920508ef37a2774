import { rm } from "node:fs/promises"
import { afterAll, expect, test } from "vitest"
import { runCampaign } from "../../chaos/campaign.ts"
import { broken, report } from "../../chaos/outcome.ts"
import { compileBot } from "../../helpers/compiled-bot.ts"

/** Options of a short campaign; `npm run test:chaos` runs a long one. */
const CAMPAIGN = { requests: 30, kills: 8, gapMs: 1200 }
const bot = await compileBot()
afterAll(() => bot[Symbol.asyncDispose]())

const seed = Number(process.env.CHAOS_SEED ?? Date.now() % 1_000_000)

// Runs all at once: they mostly wait for leases.
test.concurrent.each([
  ["told once", { history: true, losses: false }],
  ["told once, or was in Redis when that was emptied", { history: true, losses: true }],
  [
    "told, perhaps twice, where the bot may not read its channels",
    { history: false, losses: false },
  ],
] as const)("killed at random, every request is %s and created once at most", async (_, kind) => {
  const outcome = await runCampaign({ ...CAMPAIGN, ...kind, bot, seed })
  process.stdout.write(`CHAOS_SEED=${seed}\n${report(outcome).join("\n")}\n`)
  expect(broken(outcome, kind), `CHAOS_SEED=${seed} ${outcome.dir}`).toEqual([])
  await rm(outcome.dir, { recursive: true })
})
