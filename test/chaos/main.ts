import { rm } from "node:fs/promises"
import { compileBot } from "../helpers/compiled-bot.ts"
import { readOptions, runProgram } from "../helpers/program.ts"
import { runCampaign } from "./campaign.ts"
import { broken, report } from "./outcome.ts"

const values = readOptions({ requests: 1000, kills: 200, gap: 2000, history: true, losses: true })
using bot = compileBot()
await runProgram(`The crash campaign, seed ${values.seed}: see timing.ts`, async () => {
  const outcome = await runCampaign({ ...values, gapMs: values.gap, bot })
  const faults = broken(outcome, values)
  if (faults.length === 0) await rm(outcome.dir, { recursive: true })
  return {
    report: report(outcome),
    faults: faults.length > 0 ? [...faults, `What the processes printed: ${outcome.dir}`] : [],
  }
})
