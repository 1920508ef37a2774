import { execFileSync, spawnSync } from "node:child_process"
import { copyFileSync, existsSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"

const ROOT = fileURLToPath(new URL("../..", import.meta.url))
/** Below the packages, so that they are found; a commit never changes, so what is compiled is kept. */
const CACHE = join(ROOT, "node_modules/.cache/docs-agent-earlier")

/** Does this copy of the repository reach back to a commit? A tarball and a shallow clone do not. */
export function reachesBack(commit: string): boolean {
  return spawnSync("git", ["cat-file", "-e", `${commit}^{commit}`], { cwd: ROOT }).status === 0
}

/**
 * The bot as it was at a commit, compiled from the history, with the packages of now.
 * @returns the path of its `main.js`
 */
export function earlierVersion(commit: string): string {
  const kept = join(CACHE, commit)
  if (!existsSync(kept)) compile(commit, kept)
  return join(kept, "dist/main.js")
}

function compile(commit: string, into: string): void {
  // Not below the packages: the compiler takes sources there for somebody else's and emits nothing.
  const sources = mkdtempSync(join(tmpdir(), "docs-agent-earlier-"))
  const aside = `${into}-${process.pid}`
  try {
    const archive = execFileSync("git", ["archive", commit, "src", "package.json"], {
      cwd: ROOT,
      maxBuffer: 256 * 1024 * 1024,
    })
    execFileSync("tar", ["-x", "-C", sources], { input: archive })
    const compilerOptions = {
      rootDir: join(sources, "src"),
      outDir: join(aside, "dist"),
      types: [],
      noEmit: false,
      noCheck: true,
    }
    writeFileSync(
      join(sources, "tsconfig.json"),
      JSON.stringify({
        extends: join(ROOT, "tsconfig.json"),
        compilerOptions,
        include: [],
        files: ["src/main.ts"],
      }),
    )
    execFileSync(join(ROOT, "node_modules/.bin/tsc"), ["-p", sources], { stdio: "inherit" })
    // It says that the files are modules, and which version this is.
    copyFileSync(join(sources, "package.json"), join(aside, "package.json"))
    renameSync(aside, into)
  } finally {
    rmSync(sources, { recursive: true, force: true })
    rmSync(aside, { recursive: true, force: true })
  }
}
