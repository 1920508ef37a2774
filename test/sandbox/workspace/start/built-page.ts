import { existsSync } from "node:fs"
import { readdir, rename, rm, stat } from "node:fs/promises"
import { join } from "node:path"
import { fileURLToPath } from "node:url"

const ROOT = fileURLToPath(new URL("../../../../", import.meta.url))
const SOURCES = ["test/sandbox/page", "test/sandbox/workspace", "test/sandbox/slack"].map(
  (folder) => join(ROOT, folder),
)
/** Where the built page is kept: beside other tools' caches, as `dist` holds the bot alone. */
export const BUILT = join(ROOT, "node_modules/.cache/docs-agent-sandbox/page")

/** The app as an agent, which it is in the sandbox until somebody switches that off. */
export const MANIFEST = join(ROOT, ".github/manifest.agent.yml")

/**
 * The folder with the built page, built anew when a source of it is younger.
 * @throws Error when there is neither a built page nor the sources of one.
 */
export async function builtPage(): Promise<string> {
  const [source] = SOURCES
  const hasSources = source !== undefined && existsSync(join(source, "vite.config.ts"))
  if (hasSources && (await isStale())) await buildFrom(source)
  if (existsSync(join(BUILT, "index.html"))) return BUILT
  throw new Error(
    "The page isn't built, and its sources are missing. Run the sandbox in the repository.",
  )
}

/** Built aside and put in place as a whole: another sandbox may be serving the old one. */
async function buildFrom(source: string): Promise<void> {
  const { build } = await import("vite")
  const aside = `${BUILT}-${process.pid}`
  await build({
    configFile: join(source, "vite.config.ts"),
    logLevel: "warn",
    build: { outDir: aside },
  })
  await rm(BUILT, { recursive: true, force: true })
  // Where another sandbox was quicker, its page is as good.
  await rename(aside, BUILT).catch(() => rm(aside, { recursive: true }))
}

async function isStale(): Promise<boolean> {
  const built = await stat(join(BUILT, "index.html")).catch(() => undefined)
  if (built === undefined) return true
  const newest = await Promise.all(SOURCES.map(youngest))
  return Math.max(...newest) > built.mtimeMs
}

/** When the last file of a folder was changed, epoch ms. */
async function youngest(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile())
  const times = await Promise.all(
    files.map(async (file) => (await stat(join(file.parentPath, file.name))).mtimeMs),
  )
  return Math.max(0, ...times)
}
