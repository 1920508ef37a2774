import { parseArgs } from "node:util"
import { number, runProgram, seedOption } from "../helpers/program.ts"
import { startRedisServer } from "../helpers/redis-server.ts"
import { report, runHour, SATURATED, WEATHERS } from "./run.ts"

const { values } = parseArgs({ options: { seconds: number(120), seed: seedOption } })
const [seconds, seed] = [Number(values.seconds), Number(values.seed)]
await runProgram(`The rolling hour, ${seconds} s of each weather, seed ${seed}`, async () => {
  await using server = await startRedisServer(["--appendonly", "no"])
  const found = []
  for (const weather of [SATURATED, ...WEATHERS])
    found.push(await runHour(server, weather, { seconds, seed }))
  const faults = found.flatMap(({ weather, most, used, violations }) => [
    ...violations,
    ...(most > weather.ceiling ? [`${weather.name}: ${most} in one window, seed ${seed}`] : []),
    ...(weather === SATURATED && used < 0.98 ? [`only ${(used * 100).toFixed(1)}% used`] : []),
  ])
  return { report: found.map(report), faults }
})
