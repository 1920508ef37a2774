import { execFileSync, spawnSync } from "node:child_process"
import { readdirSync, readFileSync } from "node:fs"
import { basename, join } from "node:path"
import { fileURLToPath } from "node:url"
import { cleanCopy } from "../helpers/clean-copy.ts"

/**
 * Patches for a copy of the tree, uncommitted files included. Each breaks one guard in Lua or between
 * processes, which no tool can mutate, and names the tests that have to fail; if they pass, a test is
 * missing. Then Stryker mutates the pure code. Arguments select patches by name; `pure` selects Stryker.
 */
const PATCHES = fileURLToPath(new URL("patches/", import.meta.url))
/** Time limit in ms for a run, after which it counts as hung. */
const MAX_MS = 180_000

const only = process.argv.slice(2)
const names = readdirSync(PATCHES)
  .map((name) => basename(name, ".patch"))
  .filter((name) => only.length === 0 || only.includes(name))
await using copy = await cleanCopy()
let survived = 0
let pure: number | null = 0
for (const name of names) {
  const patch = join(PATCHES, `${name}.patch`)
  const verdict = tried(patch, copy.folder)
  if (verdict !== "caught") survived += 1
  process.stdout.write(`${verdict.padEnd(9)} ${name}\n`)
}
process.stdout.write(`${names.length - survived} of ${names.length} caught\n`)
// Stryker changes the files in place, because its own copy would be under node_modules, where
// Vitest doesn't transform files.
const stryker = ["--no", "stryker", "run", "test/mutants/stryker.config.json"]
if (only.length === 0 || only.includes("pure"))
  pure = spawnSync("npx", stryker, { cwd: copy.folder, stdio: "inherit" }).status
process.exitCode = survived > 0 || pure !== 0 ? 1 : 0

function tried(patch: string, copy: string): "caught" | "SURVIVED" | "STALE" {
  const [, project = "", tests = ""] =
    /^Tests: (\w+) (.+)$/m.exec(readFileSync(patch, "utf8")) ?? []
  if (spawnSync("git", ["apply", patch], { cwd: copy }).status !== 0) return "STALE"
  const vitest = join(copy, "node_modules/vitest/vitest.mjs")
  const config = ["run", "--config", "test/vitest.config.ts", "--retry=0", "--bail=1"]
  const { status, stdout } = spawnSync(
    process.execPath,
    [vitest, ...config, "--project", project, ...tests.split(" ")],
    { cwd: copy, encoding: "utf8", timeout: MAX_MS },
  )
  execFileSync("git", ["apply", "--reverse", patch], { cwd: copy })
  // A file that can't be loaded proves nothing.
  const hasFailed = status !== 0 && /Tests .*\d+ failed/.test(stdout)
  return hasFailed ? "caught" : status === 0 ? "SURVIVED" : "STALE"
}
