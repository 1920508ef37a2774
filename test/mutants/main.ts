import { readFile } from "node:fs/promises"
import { join } from "node:path"
import { parseArgs } from "node:util"
import { Copy, ROOT } from "./copy.ts"
import { MUTANTS } from "./list/all.ts"
import { broken, type Mutant } from "./mutant.ts"
import { runTests, type TestRun } from "./run-tests.ts"
import { head, lastLine, type Outcome, row } from "./table.ts"

const { values } = parseArgs({
  options: { only: { type: "string", multiple: true }, list: { type: "boolean", default: false } },
})
process.exitCode = await main(values)

async function main({ only, list }: { only?: string[]; list: boolean }): Promise<number> {
  const lost = (await Promise.all(MUTANTS.map(misplaced))).filter((words) => words !== undefined)
  if (lost.length > 0) return print(...lost) || 1
  const chosen = MUTANTS.filter(({ name }) => !only || only.includes(name))
  if (chosen.length < (only?.length ?? 1))
    return print("No such mutant; --list names them all.") || 1
  const width = Math.max(...chosen.map(({ name }) => name.length))
  if (list) return print(...chosen.map(({ name, breaks }) => `${name.padEnd(width)}  ${breaks}`))

  // Two at a time: the tests of one already use more than one core.
  await using first = await Copy.of(ROOT)
  await using second = await Copy.of(ROOT)
  const lanes = [first, second]
  const red = await firstRed(chosen, lanes)
  if (red) return print(`The tests fail without any breakage: ${red}`) || 1
  print(head(width))
  const outcomes = await spread(chosen, lanes, async (mutant, copy) => {
    const outcome = await tried(mutant, copy)
    print(row(outcome, width))
    return outcome
  })
  print(lastLine(outcomes))
  return outcomes.every(({ run }) => run.kind === "failed") ? 0 : 1
}

/** What is wrong with the place of a breakage, if anything. */
async function misplaced(mutant: Mutant): Promise<string | undefined> {
  try {
    broken(mutant, await readFile(join(ROOT, mutant.file), "utf8"))
    return undefined
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

async function tried(mutant: Mutant, copy: Copy): Promise<Outcome> {
  const began = performance.now()
  const run = await copy.with(mutant, () => runTests(copy.dir, mutant))
  return { mutant, run, seconds: (performance.now() - began) / 1000 }
}

/** A test that always fails catches everything: all that are named have to pass first. */
async function firstRed(mutants: readonly Mutant[], lanes: readonly Copy[]) {
  const groups = (["unit", "integration", "doubles", "system"] as const).flatMap((project) => {
    const ours = mutants.filter((mutant) => mutant.project === project)
    return [ours.filter(({ only }) => only), ours.filter(({ only }) => !only)]
  })
  const runs = await spread(groups, lanes, async (group, copy) => {
    const [one] = group
    const [file, ...more] = new Set(group.flatMap(({ tests }) => tests))
    if (!one || !file) return undefined
    const only = group.flatMap(({ only }) => only ?? []).join("|")
    const what = { project: one.project, tests: [file, ...more] as const }
    return runTests(copy.dir, only ? { ...what, only } : what)
  })
  return runs.map((run) => run && complaint(run)).find(Boolean)
}

function complaint(run: TestRun): string | undefined {
  if (run.kind === "passed") return undefined
  return run.kind === "failed" ? run.by : run.why
}

/** Does something with each item, one at a time in each copy. In the order of the items. */
async function spread<T, R>(
  items: readonly T[],
  lanes: readonly Copy[],
  work: (item: T, copy: Copy) => Promise<R>,
): Promise<R[]> {
  const results: R[] = []
  const queue = items.entries()
  const lane = async (copy: Copy) => {
    for (const [i, item] of queue) results[i] = await work(item, copy)
  }
  await Promise.all(lanes.map(lane))
  return results
}

function print(...lines: string[]): 0 {
  process.stdout.write(`${lines.join("\n")}\n`)
  return 0
}
