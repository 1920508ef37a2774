import { copyFile, mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath, pathToFileURL } from "node:url"
import { build } from "rolldown"

export type CompiledBot = Awaited<ReturnType<typeof compileBot>>

const ROOT = fileURLToPath(new URL("../..", import.meta.url))

/**
 * Bundles the bot, as a build does, with its entry point for campaigns: hundreds of starts must not
 * each compile the sources, and an edit during a run must not reach processes that start later.
 */
export async function compileBot() {
  const folder = await mkdtemp(join(tmpdir(), "docs-agent-campaign-"))
  // As deep below package.json, which holds the version, as a build.
  const dir = join(folder, "dist", "bot")
  const names = { entryFileNames: "[name].js", chunkFileNames: "[name]-[hash].js" }
  await build({
    input: ["bot-entry", "skew-preload"].map((name) => `${ROOT}test/helpers/${name}.ts`),
    platform: "node",
    transform: { target: "node20.19" },
    checks: { eval: false },
    output: { dir, ...names, keepNames: true },
  })
  await copyFile(`${ROOT}package.json`, join(folder, "package.json"))
  return {
    entry: join(dir, "bot-entry.js"),
    /** Returns the module that Node imports first, to offset the process's clock by `ms`. */
    skewed: (ms: number) => `${pathToFileURL(join(dir, "skew-preload.js")).href}?ms=${ms}`,
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true }),
  }
}
