import { parseArgs } from "node:util"
import { startRedisServer } from "../helpers/redis-server.ts"
import { report, runHours } from "./run.ts"

const { values } = parseArgs({
  options: {
    creations: { type: "string", default: "1000000" },
    seed: { type: "string", default: String(Date.now() % 1_000_000) },
  },
})
const [creations, seed] = [Number(values.creations), Number(values.seed)]
const began = performance.now()
process.stdout.write(`The rolling hour over ${creations} simulated creations, seed ${seed}\n`)
await using server = await startRedisServer(["--appendonly", "no"])
const found = await runHours(server, { creations, seed })
const violations = found.flatMap((f) => f.violations.map((v) => `${f.weather.name}: ${v}`))
const seconds = Math.round((performance.now() - began) / 1000)
process.stdout.write(`${[...report(found), `${seconds} s`, ...violations].join("\n")}\n`)
process.exitCode = violations.length > 0 ? 1 : 0
