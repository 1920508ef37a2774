import { parseArgs } from "node:util"

export interface Outcome {
  report: readonly string[]
  /** What was promised and not kept, and how to live through it again; empty after a good run. */
  faults: readonly string[]
}

type Values<Defaults> = { [K in keyof Defaults]: Defaults[K] extends boolean ? boolean : number }

/** A program's options, `--name 12` or `--name` and `--no-name`; each program has a seed. */
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

/** Prints the headline, the report, how long it took and the faults; the exit code says if there are any. */
export async function runProgram(headline: string, run: () => Promise<Outcome>): Promise<void> {
  const began = performance.now()
  process.stdout.write(`${headline}\n`)
  const { report, faults } = await run()
  const seconds = Math.round((performance.now() - began) / 1000)
  process.stdout.write(`${[...report, `${seconds} s`, ...faults].join("\n")}\n`)
  process.exitCode = faults.length > 0 ? 1 : 0
}
