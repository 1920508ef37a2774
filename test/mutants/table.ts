import type { Mutant } from "./mutant.ts"
import type { TestRun } from "./run-tests.ts"

export interface Outcome {
  mutant: Mutant
  run: TestRun
  seconds: number
}

const WORDS = { failed: "caught", passed: "SURVIVED", broke: "BROKE" } as const

/** One line of the table. */
export function row({ mutant, run, seconds }: Outcome, width: number): string {
  const by = { failed: () => byOf(run), passed: () => mutant.breaks, broke: () => byOf(run) }
  const cells = [
    mutant.name.padEnd(width),
    WORDS[run.kind].padEnd(9),
    seconds.toFixed(1).padStart(5),
  ]
  return [...cells, by[run.kind]()].join("  ")
}

export function head(width: number): string {
  return ["mutant".padEnd(width), "".padEnd(9), "s".padStart(5), "by which test"].join("  ")
}

export function lastLine(outcomes: readonly Outcome[]): string {
  const caught = outcomes.filter(({ run }) => run.kind === "failed").length
  return `${caught} of ${outcomes.length} mutants caught`
}

function byOf(run: TestRun): string {
  if (run.kind === "failed") return run.by
  return run.kind === "broke" ? run.why.split("\n").join(" ").slice(0, 200) : ""
}
