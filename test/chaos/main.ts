import { rm } from "node:fs/promises"
import { compileBot } from "../helpers/compiled-bot.ts"
import { readOptions, runProgram } from "../helpers/program.ts"
import { runCampaign } from "./campaign.ts"
import { broken, replay, report } from "./report.ts"

const values = readOptions({ requests: 1000, kills: 200, gap: 2000, history: true })
const headline = `The crash campaign, seed ${values.seed}. Slack's rates are eased for the local one, leases and pauses are short: see timing.ts.`
using bot = compileBot()
await runProgram(headline, async () => {
  const say = (line: string) => process.stderr.write(`${line}\n`)
  const outcome = await runCampaign({ ...values, gapMs: values.gap, bot, say })
  const faults = broken(outcome)
  if (faults.length === 0) await rm(outcome.dir, { recursive: true })
  return { report: report(outcome), faults: faults.length > 0 ? [...faults, replay(outcome)] : [] }
})
