import { execFileSync } from "node:child_process"
import { copyFileSync, mkdirSync, rmSync, writeFileSync } from "node:fs"
import { fileURLToPath, pathToFileURL } from "node:url"

export interface CompiledBot extends Disposable {
  entry: string
  /** What node imports before it to have a clock that is off. */
  skewed: (ms: number) => string
}

const ROOT = fileURLToPath(new URL("../..", import.meta.url))
const ENTRY = "test/helpers/bot-entry"
const SKEW = "test/helpers/skew-preload"

/**
 * Compiles the bot with its entry for campaigns: hundreds of starts must not each translate the
 * sources, and an edit during a run must not reach the processes that start after it.
 */
export function compileBot(): CompiledBot {
  // Below the project, so that the packages are found.
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
  // It says that the files are modules, and which version this is.
  copyFileSync(`${ROOT}package.json`, `${out}/package.json`)
  return {
    entry: `${out}/${ENTRY}.js`,
    skewed: (ms) => `${pathToFileURL(`${out}/${SKEW}.js`).href}?ms=${ms}`,
    [Symbol.dispose]: () => rmSync(out, { recursive: true, force: true }),
  }
}
