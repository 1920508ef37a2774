import { rm } from "node:fs/promises"
import { parseArgs } from "node:util"
import { runCampaign } from "./campaign.ts"
import { compileBot } from "./compile.ts"
import { broken, replay, report } from "./report.ts"

const { values } = parseArgs({
  options: {
    requests: { type: "string", default: "1000" },
    kills: { type: "string", default: "200" },
    seed: { type: "string", default: String(Date.now() % 1_000_000) },
    gap: { type: "string", default: "2000" },
    history: { type: "boolean", default: true },
  },
  allowNegative: true,
})
using bot = compileBot()
const options = {
  bot,
  requests: Number(values.requests),
  kills: Number(values.kills),
  seed: Number(values.seed),
  gapMs: Number(values.gap),
  history: values.history,
}
const began = performance.now()
process.stdout.write(
  `The crash campaign, seed ${options.seed}. Slack's rates are eased for the local one, leases and pauses are short: see timing.ts.\n`,
)
const outcome = await runCampaign({ ...options, say: (line) => process.stderr.write(`${line}\n`) })
const faults = broken(outcome)
const seconds = Math.round((performance.now() - began) / 1000)
const again = faults.length > 0 ? [...faults, replay(outcome)] : []
const lines = [...report(outcome), `${seconds} s`, ...again]
process.stdout.write(`${lines.join("\n")}\n`)
process.exitCode = faults.length > 0 ? 1 : 0
if (faults.length === 0) await rm(outcome.dir, { recursive: true })
