import { execFileSync } from "node:child_process"
import { copyFileSync, mkdirSync, rmSync } from "node:fs"
import { fileURLToPath } from "node:url"

export interface CompiledBot extends Disposable {
  /** What node runs. */
  entry: string
}

const ROOT = new URL("../../", import.meta.url)

/**
 * Compiles the bot with its entry for campaigns: hundreds of starts must not each translate the
 * sources, and an edit during a run must not reach the processes that start after it.
 */
export function compileBot(): CompiledBot {
  // Below the project, so that the packages are found.
  const out = new URL(`node_modules/.cache/docs-agent-chaos/${process.pid}/`, ROOT)
  mkdirSync(out, { recursive: true })
  const to = fileURLToPath(out)
  const project = fileURLToPath(new URL("test/tsconfig.json", ROOT))
  const options = ["--noEmit", "false", "--sourceMap", "false", "--outDir", to]
  execFileSync("npx", ["tsc", "-p", project, ...options], { cwd: fileURLToPath(ROOT) })
  // It says that the files are modules, and which version this is.
  copyFileSync(new URL("package.json", ROOT), new URL("package.json", out))
  return {
    entry: fileURLToPath(new URL("test/helpers/bot-entry.js", out)),
    [Symbol.dispose]: () => rmSync(out, { recursive: true, force: true }),
  }
}
