import { existsSync } from "node:fs"
import { mkdir, mkdtemp, readdir, rename, rm, stat } from "node:fs/promises"
import { join } from "node:path"
import { fileURLToPath } from "node:url"

const ROOT = fileURLToPath(new URL("../../../../", import.meta.url))
const PAGE = join(ROOT, "test/sandbox/page")
const SOURCES = [PAGE, ...["workspace", "slack"].map((name) => join(ROOT, "test/sandbox", name))]
/** Beside other tools' caches, as `dist` holds the bot alone. */
const CACHE = join(ROOT, "node_modules/.cache/docs-agent-sandbox")
/** No sandbox serves a page of older sources for so long, ms. */
const OLD_MS = 86_400_000

/** The app as an agent, which it is in the sandbox until somebody switches that off. */
export const MANIFEST = join(ROOT, ".github/manifest.agent.yml")

/**
 * The folder with the page of these sources, built where nobody did so before. Each state of the sources has
 * a folder of its own: another sandbox may be serving an earlier page, or building the same.
 */
export async function builtPage(): Promise<string> {
  const newest = Math.max(...(await Promise.all(SOURCES.map(youngest))))
  const page = join(CACHE, `page-${Math.floor(newest)}`)
  if (!existsSync(page)) await buildFor(page)
  return page
}

/** Built aside, and put in place as a whole. */
async function buildFor(page: string): Promise<void> {
  const { build } = await import("vite")
  await mkdir(CACHE, { recursive: true })
  const outDir = await mkdtemp(`${page}-`)
  const configFile = join(PAGE, "vite.config.ts")
  await build({ configFile, logLevel: "warn", build: { outDir } })
  // Where another sandbox was quicker, its page is as good.
  await rename(outDir, page).catch(() => rm(outDir, { recursive: true }))
  await removeOld()
}

async function removeOld(): Promise<void> {
  for (const name of await readdir(CACHE)) {
    const folder = join(CACHE, name)
    const built = await stat(folder).catch(() => undefined)
    if (built && built.mtimeMs < Date.now() - OLD_MS)
      await rm(folder, { recursive: true, force: true })
  }
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
