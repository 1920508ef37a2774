import { rm } from "node:fs/promises"
import { afterAll, expect, test } from "vitest"
import { runCampaign } from "../chaos/campaign.ts"
import { broken, recovery, replay, report } from "../chaos/report.ts"
import { compileBot } from "../helpers/compiled-bot.ts"

/** `npm run test:chaos` is the long run of the same. */
const CAMPAIGN = { requests: 40, kills: 10, gapMs: 1200 }
const bot = compileBot()
afterAll(() => bot[Symbol.dispose]())

const seed = Number(process.env.CHAOS_SEED ?? Date.now() % 1_000_000)

// Both at a time: most of it is waiting for leases.
test.concurrent.each([
  ["told once", true],
  ["told, perhaps twice, where the bot may not read its channels", false],
] as const)(
  "killed at random, every request is %s and created once at most",
  async (_, history) => {
    const outcome = await runCampaign({ ...CAMPAIGN, bot, seed, history })

    process.stdout.write(`${report(outcome).join("\n")}\n`)
    expect(broken(outcome), replay(outcome)).toEqual([])
    // Most of those who ask right before a kill have an ending to wait for.
    expect(recovery(outcome), replay(outcome)).toMatch(/^median \d+\.\d, longest (?!0\.0)\d/)
    await rm(outcome.dir, { recursive: true })
  },
)
