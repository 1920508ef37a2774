import { execFileSync } from "node:child_process"
import { copyFileSync, mkdirSync, rmSync, writeFileSync } from "node:fs"
import { fileURLToPath, pathToFileURL } from "node:url"

export interface CompiledBot extends Disposable {
  entry: string
  /** Returns the module that Node imports first, to offset the process's clock by `ms`. */
  skewed: (ms: number) => string
}

const ROOT = fileURLToPath(new URL("../..", import.meta.url))
const ENTRY = "test/helpers/bot-entry"
const SKEW = "test/helpers/skew-preload"

/**
 * Compiles the bot with its entry point for campaigns: hundreds of starts must not each compile the
 * sources, and an edit during a run must not reach processes that start later.
 */
export function compileBot(): CompiledBot {
  // Inside the project, so that Node finds the packages.
  const out = `${ROOT}node_modules/.cache/docs-agent-chaos/${process.pid}`
  mkdirSync(out, { recursive: true })
  const config = {
    extends: `${ROOT}tsconfig.json`,
    compilerOptions: { rootDir: ROOT, outDir: out, noEmit: false, noCheck: true },
    include: [],
    files: [ENTRY, SKEW].map((name) => `${ROOT}${name}.ts`),
  }
  writeFileSync(`${out}/tsconfig.json`, JSON.stringify(config))
  execFileSync(`${ROOT}node_modules/.bin/tsc`, ["-p", out])
  // It declares the files as modules, and holds the bot's version.
  copyFileSync(`${ROOT}package.json`, `${out}/package.json`)
  return {
    entry: `${out}/${ENTRY}.js`,
    skewed: (ms) => `${pathToFileURL(`${out}/${SKEW}.js`).href}?ms=${ms}`,
    [Symbol.dispose]: () => rmSync(out, { recursive: true, force: true }),
  }
}
