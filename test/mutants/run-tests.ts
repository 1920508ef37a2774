import { spawn } from "node:child_process"
import { once } from "node:events"
import { readFile, rm } from "node:fs/promises"
import { join } from "node:path"
import { z } from "zod"
import { type Mutant, testFiles } from "./mutant.ts"

/** A run that takes longer hangs; the tests' own timeouts are well below. ms */
const LONGEST_MS = 120_000

/** What vitest's JSON report tells, as far as it matters here. */
const report = z.object({
  numPassedTests: z.number(),
  testResults: z.array(
    z.object({
      message: z.string().optional(),
      assertionResults: z.array(z.object({ title: z.string(), status: z.string() })),
    }),
  ),
})

export type TestRun =
  | { kind: "passed"; tests: number }
  /** `by`: the first test that failed. */
  | { kind: "failed"; by: string }
  /** No test failed and yet the run did: a file that cannot be loaded proves nothing. */
  | { kind: "broke"; why: string }

/** Runs tests in a copy of the tree, up to the first failure. */
export async function runTests(
  dir: string,
  what: Pick<Mutant, "project" | "tests" | "only">,
): Promise<TestRun> {
  const file = join(dir, "report.json")
  await rm(file, { force: true })
  const vitest = join(dir, "node_modules/vitest/vitest.mjs")
  const config = ["--config", "test/vitest.config.ts", "--mode", "thorough"]
  const args = ["run", ...config, "--retry=0", "--project", what.project]
  const output = ["--bail", "1", "--reporter", "json", "--outputFile", file]
  const pattern = what.only === undefined ? [] : ["-t", what.only]
  const child = spawn(
    process.execPath,
    [vitest, ...args, ...output, ...pattern, ...testFiles(what)],
    { cwd: dir, stdio: ["ignore", "ignore", "pipe"] },
  )
  const errors: string[] = []
  child.stderr.on("data", (data) => errors.push(String(data)))
  const timer = setTimeout(() => child.kill("SIGKILL"), LONGEST_MS)
  const [code] = await once(child, "close")
  clearTimeout(timer)
  return judge(code, await readReport(file), errors.join(""))
}

async function readReport(file: string): Promise<z.infer<typeof report> | undefined> {
  const text = await readFile(file, "utf8").catch(() => undefined)
  return text === undefined ? undefined : report.parse(JSON.parse(text))
}

function judge(code: unknown, found: z.infer<typeof report> | undefined, errors: string): TestRun {
  const tests = found?.testResults.flatMap(({ assertionResults }) => assertionResults) ?? []
  const failed = tests.find(({ status }) => status === "failed")
  if (failed) return { kind: "failed", by: failed.title }
  if (code === 0 && found && found.numPassedTests > 0)
    return { kind: "passed", tests: found.numPassedTests }
  const told = found?.testResults.map(({ message }) => message).find(Boolean)
  const why = code === 0 ? "no test has such a name" : (told ?? errors.trim().slice(-400))
  return { kind: "broke", why: why || `vitest ended with ${String(code)}` }
}
