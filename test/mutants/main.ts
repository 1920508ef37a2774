import { execFileSync, spawnSync } from "node:child_process"
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
} from "node:fs"
import { tmpdir } from "node:os"
import { basename, dirname, join } from "node:path"
import { fileURLToPath } from "node:url"

/**
 * Root of the tree. In a copy of it, each patch breaks one guard in Lua or between processes, which
 * no tool can mutate. A patch names the tests that have to fail; if they pass, a test is missing.
 * Then Stryker mutates the pure code. Arguments select patches by name; `pure` selects Stryker.
 */
const ROOT = fileURLToPath(new URL("../..", import.meta.url))
const PATCHES = fileURLToPath(new URL("patches/", import.meta.url))
/** Time limit in ms for a run, after which it counts as hung. */
const MAX_MS = 180_000

const only = process.argv.slice(2)
const names = readdirSync(PATCHES)
  .map((name) => basename(name, ".patch"))
  .filter((name) => only.length === 0 || only.includes(name))
const copy = copyTree()
let survived = 0
let pure: number | null = 0
try {
  for (const name of names) {
    const patch = join(PATCHES, `${name}.patch`)
    const verdict = tried(patch)
    if (verdict !== "caught") survived += 1
    process.stdout.write(`${verdict.padEnd(9)} ${name}\n`)
  }
  process.stdout.write(`${names.length - survived} of ${names.length} caught\n`)
  // Stryker changes the files in place, because its own copy would be under node_modules, where
  // Vitest doesn't transform files.
  const stryker = ["--no", "stryker", "run", "test/mutants/stryker.config.json"]
  if (only.length === 0 || only.includes("pure"))
    pure = spawnSync("npx", stryker, { cwd: copy, stdio: "inherit" }).status
} finally {
  rmSync(copy, { recursive: true, force: true })
}
process.exitCode = survived > 0 || pure !== 0 ? 1 : 0

function tried(patch: string): "caught" | "SURVIVED" | "STALE" {
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

/** Copies the working tree, including uncommitted files, and links its packages. */
function copyTree(): string {
  const dir = mkdtempSync(join(tmpdir(), "docs-agent-mutants-"))
  const args = ["ls-files", "-z", "--cached", "--others", "--exclude-standard"]
  const listed = execFileSync("git", args, { cwd: ROOT, encoding: "utf8" }).split("\0")
  for (const file of listed.filter((name) => name !== "" && existsSync(join(ROOT, name)))) {
    mkdirSync(join(dir, dirname(file)), { recursive: true })
    cpSync(join(ROOT, file), join(dir, file))
  }
  mkdirSync(join(dir, "node_modules"))
  for (const name of readdirSync(join(ROOT, "node_modules")))
    if (!name.startsWith(".") || name === ".bin")
      symlinkSync(join(ROOT, "node_modules", name), join(dir, "node_modules", name))
  return dir
}
