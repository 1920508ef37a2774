import { chmod, cp, mkdtemp, readdir, readFile, rm, symlink } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"

const ROOT = fileURLToPath(new URL("../../", import.meta.url))

/**
 * Makes a folder as a clone would be, with links to this tree's packages: `npm ci` takes a minute,
 * and .ci/run already runs it.
 */
export async function cleanCopy() {
  const folder = await copyOf(await readdir(ROOT))
  await symlink(join(ROOT, "node_modules"), join(folder, "node_modules"))
  return disposable(folder)
}

/** Copies what is deployed: the built bot without packages, in a read-only folder. */
export async function deployedCopy() {
  const folder = await copyOf(["package.json"])
  await cp(join(ROOT, "dist"), join(folder, "dist"), { recursive: true })
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

function disposable(folder: string): AsyncDisposable & { folder: string } {
  return {
    folder,
    async [Symbol.asyncDispose]() {
      await chmod(folder, 0o755)
      await rm(folder, { recursive: true, force: true })
    },
  }
}
