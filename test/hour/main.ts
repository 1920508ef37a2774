import { spawn } from "node:child_process"
import { once } from "node:events"
import { readOptions, runProgram } from "../helpers/program.ts"
import { startRedisServer } from "../helpers/redis-server.ts"
import { CROWDS, report, runHour, SATURATED, WEATHERS, type Weather } from "./run.ts"

/**
 * Options: `--creations 1000000` ends the run after that many creations, half in each crowd, at
 * ceilings that permit them. Each crowd keeps one core busy and so has its own process (`--crowd`).
 */
const { seconds, creations, crowd, seed } = readOptions({ seconds: 120, creations: 0, crowd: 0 })
const [mine, ...others] = creations > 0 ? CROWDS.slice(crowd) : []
if (mine) {
  const other = others.length > 0 ? runNext() : Promise.resolve(0)
  await run([mine], { creations: creations / CROWDS.length, seed }, `${creations} creations`)
  process.exitCode ||= await other
} else await run([SATURATED, ...WEATHERS], { seconds, seed }, `${seconds} s of each weather`)

async function run(
  weathers: readonly Weather[],
  until: Parameters<typeof runHour>[2],
  length: string,
): Promise<void> {
  await runProgram(`The rolling hour, ${length}, seed ${seed}`, async () => {
    await using server = await startRedisServer(["--appendonly", "no"])
    const found = []
    for (const weather of weathers) found.push(await runHour(server, weather, until))
    const faults = found.flatMap(({ weather, most, used, violations }) => [
      ...violations,
      ...(most > weather.ceiling ? [`${weather.name}: ${most} in one window, seed ${seed}`] : []),
      ...(weather === SATURATED && used < 0.98 ? [`only ${(used * 100).toFixed(1)}% used`] : []),
    ])
    return { report: found.map(report), faults }
  })
}

/** Runs the next crowd at the same time. Resolves to its exit code. */
async function runNext(): Promise<number> {
  const options = { creations, crowd: crowd + 1, seed }
  const args = Object.entries(options).flatMap(([name, value]) => [`--${name}`, String(value)])
  const child = spawn(process.execPath, [...process.execArgv, import.meta.filename, ...args], {
    stdio: "inherit",
  })
  const [code] = await once(child, "exit")
  return Number(code ?? 1)
}
