import { readFile, rm, writeFile } from "node:fs/promises"

/** Held by the one process that starts something which must not run twice. */
export class StartLock implements AsyncDisposable {
  readonly #file: string

  private constructor(file: string) {
    this.#file = file
  }

  /** Undefined while another living process holds it. One that died holding it does not keep it. */
  static async take(file: string): Promise<StartLock | undefined> {
    try {
      await writeFile(file, String(process.pid), { flag: "wx", mode: 0o600 })
      return new StartLock(file)
    } catch (error) {
      if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error
      const holder = Number(await readFile(file, "utf8").catch(() => ""))
      if (holder > 0 && !lives(holder)) await rm(file, { force: true })
      return undefined
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await rm(this.#file, { force: true })
  }
}

/** Signal 0 asks whether the process is there; EPERM says that it is, and somebody else's. */
function lives(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM"
  }
}
