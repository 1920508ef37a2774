import { chmod, cp, mkdtemp, readdir, readFile, rm, symlink } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"

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

/** What is deployed: the built bot without any package, and nothing that can be written to. */
export async function deployedCopy(): Promise<CleanCopy> {
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

function disposable(folder: string): CleanCopy {
  return {
    folder,
    async [Symbol.asyncDispose]() {
      await chmod(folder, 0o755)
      await rm(folder, { recursive: true, force: true })
    },
  }
}
