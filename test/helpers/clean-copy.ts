import { chmod, cp, mkdir, mkdtemp, readdir, readFile, rm, symlink } from "node:fs/promises"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { z } from "zod"

const ROOT = fileURLToPath(new URL("../../", import.meta.url))

/** The repository as a clone has it, in a folder of its own. */
export interface CleanCopy extends AsyncDisposable {
  readonly folder: string
}

/**
 * Copies what a clone has. In place of `npm ci`, which takes a minute and is what .ci/run begins with,
 * the packages are those of this tree.
 */
export async function cleanCopy(): Promise<CleanCopy> {
  const folder = await copyOf(await readdir(ROOT))
  await symlink(join(ROOT, "node_modules"), join(folder, "node_modules"))
  return disposable(folder)
}

/**
 * What is deployed: the built bot with the packages that `npm prune --omit=dev` leaves according to
 * the lock file, and nothing that can be written to.
 */
export async function deployedCopy(): Promise<CleanCopy> {
  const folder = await copyOf(["package.json"])
  await cp(join(ROOT, "dist"), join(folder, "dist"), { recursive: true })
  for (const path of await productionPackages()) {
    await mkdir(join(folder, dirname(path)), { recursive: true })
    await cp(join(ROOT, path), join(folder, path), { recursive: true })
  }
  await chmod(folder, 0o555)
  return disposable(folder)
}

async function copyOf(names: readonly string[]): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "docs-agent-copy-"))
  const ignored = (await readFile(join(ROOT, ".gitignore"), "utf8")).split("\n")
  for (const name of names) {
    if (name === ".git" || ignored.includes(name) || ignored.includes(`${name}/`)) continue
    await cp(join(ROOT, name), join(folder, name), { recursive: true })
  }
  return folder
}

const lockFile = z.object({
  packages: z.record(
    z.string(),
    z.looseObject({ dev: z.boolean().optional(), optional: z.boolean().optional() }),
  ),
})

/** Those not inside another one: nested ones come along. */
async function productionPackages(): Promise<string[]> {
  const lock = JSON.parse(await readFile(join(ROOT, "package-lock.json"), "utf8"))
  const { packages } = lockFile.parse(lock)
  return Object.entries(packages)
    .filter(([path, { dev, optional }]) => path !== "" && !dev && !optional)
    .map(([path]) => path)
    .filter((path) => path.lastIndexOf("node_modules/") === 0)
}

function disposable(folder: string): CleanCopy {
  return {
    folder,
    async [Symbol.asyncDispose]() {
      await chmod(folder, 0o755)
      await rm(folder, { recursive: true, force: true })
    },
  }
}
