import { existsSync } from "node:fs"
import { mkdir, mkdtemp, readdir, rename, rm, stat } from "node:fs/promises"
import { join } from "node:path"
import { fileURLToPath } from "node:url"

const ROOT = fileURLToPath(new URL("../../../../", import.meta.url))
const PAGE = join(ROOT, "test/sandbox/page")
const SOURCES = [PAGE, ...["workspace", "slack"].map((name) => join(ROOT, "test/sandbox", name))]
/** Folder beside other tools' caches, since `dist` contains only the bot. */
const CACHE = join(ROOT, "node_modules/.cache/docs-agent-sandbox")
/** Age in ms of a page after which no sandbox still serves it. */
const OLD_MS = 86_400_000

/** Manifest of the app as an agent, which it is in the sandbox until someone changes that. */
export const MANIFEST = join(ROOT, ".github/manifest.agent.yml")

/**
 * Returns the folder with the page of these sources, and builds it if needed. Each state of the
 * sources has its own folder: another sandbox may be serving an earlier page or building this one.
 * @throws Error if Vite can't read the clone's folder
 */
export async function builtPage(): Promise<string> {
  // Vite takes it for the end of a file's name.
  if (ROOT.includes("#"))
    throw new Error(`Move the clone: Vite can't read ${ROOT}, because of its #.`)
  const newest = Math.max(...(await Promise.all(SOURCES.map(youngest))))
  const page = join(CACHE, `page-${Math.floor(newest)}`)
  if (!existsSync(page)) await buildFor(page)
  return page
}

/** Builds the page in a temporary folder, then moves it into place. */
async function buildFor(page: string): Promise<void> {
  const { build } = await import("vite")
  await mkdir(CACHE, { recursive: true })
  const outDir = await mkdtemp(`${page}-`)
  const configFile = join(PAGE, "vite.config.ts")
  await build({ configFile, logLevel: "warn", build: { outDir } })
  // If another sandbox was faster, its page is just as good.
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

/** Returns the time of the last change to a file in the folder, in epoch ms. */
async function youngest(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile())
  const times = await Promise.all(
    files.map(async (file) => (await stat(join(file.parentPath, file.name))).mtimeMs),
  )
  return Math.max(0, ...times)
}
