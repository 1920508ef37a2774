/** Option of a program with a number, as `parseArgs` reads it. */
export function number(fallback: number) {
  return { type: "string", default: String(fallback) } as const
}

/** Option that repeats the run with this seed. */
export const seedOption = number(Date.now() % 1_000_000)

interface Outcome {
  report: readonly string[]
  /** Broken promises, with how to reproduce them; empty after a good run. */
  faults: readonly string[]
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
