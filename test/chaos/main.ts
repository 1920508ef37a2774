import { rm } from "node:fs/promises"
import { parseArgs } from "node:util"
import { compileBot } from "../helpers/compiled-bot.ts"
import { number, runProgram, seedOption } from "../helpers/program.ts"
import { runCampaign } from "./campaign.ts"
import { broken, report } from "./outcome.ts"

const numbers = { requests: number(1000), kills: number(200), gap: number(2000), seed: seedOption }
const flag = { type: "boolean", default: true } as const
const options = { ...numbers, history: flag, losses: flag }
const { requests, kills, gap, seed, ...flags } = parseArgs({ options, allowNegative: true }).values
const sizes = { requests: Number(requests), kills: Number(kills), gapMs: Number(gap) }
await using bot = await compileBot()
await runProgram(`The crash campaign, seed ${seed}: see timing.ts`, async () => {
  const outcome = await runCampaign({ ...sizes, ...flags, seed: Number(seed), bot })
  const faults = broken(outcome, flags)
  if (faults.length === 0) await rm(outcome.dir, { recursive: true })
  return {
    report: report(outcome),
    faults: faults.length > 0 ? [...faults, `What the processes printed: ${outcome.dir}`] : [],
  }
})
