import { readOptions, runProgram } from "../helpers/program.ts"
import { startRedisServer } from "../helpers/redis-server.ts"
import { report, runHours } from "./run.ts"

const { creations, seed } = readOptions({ creations: 1_000_000 })
const headline = `The rolling hour over ${creations} simulated creations, seed ${seed}`
await runProgram(headline, async () => {
  await using server = await startRedisServer(["--appendonly", "no"])
  const found = await runHours(server, { creations, seed })
  const faults = found.flatMap((f) => f.violations.map((v) => `${f.weather.name}: ${v}`))
  return { report: report(found), faults }
})
