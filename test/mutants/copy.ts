import { execFileSync } from "node:child_process"
import { cpSync, existsSync, mkdirSync, readdirSync, symlinkSync } from "node:fs"
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { broken, type Mutant } from "./mutant.ts"

export const ROOT = new URL("../..", import.meta.url).pathname

const COPIED = [
  "src",
  "test",
  "package.json",
  "tsconfig.json",
  ".rolldown.config.js",
  "manifest.yml",
  ".github",
]

/** The working tree in a folder of its own, in which one thing at a time is broken. */
export class Copy implements AsyncDisposable {
  readonly dir: string

  private constructor(dir: string) {
    this.dir = dir
  }

  /** As it is on disk, commits or not: what Git knows, and new files that it does not ignore. */
  static async of(root: string): Promise<Copy> {
    const copy = new Copy(await mkdtemp(join(tmpdir(), "docs-agent-mutants-")))
    for (const file of tracked(root)) {
      mkdirSync(join(copy.dir, dirname(file)), { recursive: true })
      cpSync(join(root, file), join(copy.dir, file))
    }
    copy.#linkPackages(join(root, "node_modules"))
    return copy
  }

  /** Runs something while the breakage is in place. */
  async with<T>(mutant: Mutant, run: () => Promise<T>): Promise<T> {
    const path = join(this.dir, mutant.file)
    const whole = await readFile(path, "utf8")
    await writeFile(path, broken(mutant, whole))
    try {
      return await run()
    } finally {
      await writeFile(path, whole)
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await rm(this.dir, { recursive: true, force: true })
  }

  /** Each package by a link of its own: what tools cache in `node_modules` stays with the copy. */
  #linkPackages(packages: string): void {
    mkdirSync(join(this.dir, "node_modules"))
    const linked = (entry: string) => !entry.startsWith(".") || entry === ".bin"
    for (const name of readdirSync(packages).filter(linked))
      symlinkSync(join(packages, name), join(this.dir, "node_modules", name))
  }
}

function tracked(root: string): string[] {
  const args = ["ls-files", "-z", "--cached", "--others", "--exclude-standard", "--", ...COPIED]
  const listed = execFileSync("git", args, { cwd: root, encoding: "utf8" })
  return listed.split("\0").filter((file) => file !== "" && existsSync(join(root, file)))
}
