import { parseArgs } from "node:util"

export interface Outcome {
  report: readonly string[]
  /** Broken promises, with how to reproduce them; empty after a good run. */
  faults: readonly string[]
}

type Values<Defaults> = { [K in keyof Defaults]: Defaults[K] extends boolean ? boolean : number }

/** Reads options: `--name 12`, `--name`, `--no-name`, and `--seed` for every program. */
export function readOptions<Defaults extends Record<string, number | boolean>>(
  defaults: Defaults,
): Values<Defaults> & { seed: number } {
  const wanted = { ...defaults, seed: Date.now() % 1_000_000 }
  const options = Object.entries(wanted).map(([name, value]) => [
    name,
    typeof value === "boolean"
      ? ({ type: "boolean", default: value } as const)
      : ({ type: "string", default: String(value) } as const),
  ])
  const { values } = parseArgs({ options: Object.fromEntries(options), allowNegative: true })
  const read = Object.entries(values).map(([name, value]) => [
    name,
    typeof value === "boolean" ? value : Number(value),
  ])
  return Object.fromEntries(read)
}

/** Prints the headline, report, duration and faults. The exit code is 1 if there are faults. */
export async function runProgram(headline: string, run: () => Promise<Outcome>): Promise<void> {
  const began = performance.now()
  process.stdout.write(`${headline}\n`)
  const { report, faults } = await run()
  const seconds = Math.round((performance.now() - began) / 1000)
  process.stdout.write(`${[...report, `${seconds} s`, ...faults].join("\n")}\n`)
  process.exitCode = faults.length > 0 ? 1 : 0
}
