import { randomUUID } from "node:crypto"
import { appendFile, mkdir, readdir, readFile, rm } from "node:fs/promises"
import { join } from "node:path"
import { z } from "zod"
import { WINDOW_MS } from "../config/timing.ts"
import { parseJson } from "../lib/json.ts"

const shape = z.object({
  queue: z.string(),
  /** Slot of the creation in the rolling-hour log: see `slotOf`. */
  slot: z.string(),
  /** Latest possible arrival at the service, in ms by Redis's clock. */
  at: z.number(),
  /** Epoch of Redis at that time (see `beginWait`); while it lasts, Redis still has the slot. */
  epoch: z.string(),
})
export type Started = z.infer<typeof shape>

const HOUR_MS = 3_600_000
/** Matches the file names: each process writes one file an hour, named by the hour. */
const NAME = /^started-(\d+)-/

/**
 * Records on disk what this machine's workers started in the last hour, so that they know it after
 * a restart even if Redis lost everything. Without a writable folder only running workers know.
 */
export function createStartedFiles(dataDir: string, onFailed: (error: unknown) => void) {
  const folder = join(dataDir, "started")
  const own = randomUUID()

  return {
    async note(started: Started, now: number): Promise<void> {
      const hour = Math.floor(now / HOUR_MS)
      const line = `${JSON.stringify(started)}\n`
      try {
        await mkdir(folder, { recursive: true, mode: 0o700 })
        await appendFile(join(folder, `started-${hour}-${own}`), line, { mode: 0o600 })
        for (const name of await readdir(folder))
          if (Number(NAME.exec(name)?.[1]) < hour - 2) await rm(join(folder, name), { force: true })
      } catch (error) {
        onFailed(error)
      }
    },

    /** Reads what a Redis of this epoch may lack, also what had no effect after all. */
    async read(now: number, epoch: string): Promise<Started[]> {
      const names = await readdir(folder).catch(() => [])
      const texts = names
        .filter((name) => NAME.test(name))
        .map((name) => readFile(join(folder, name), "utf8").catch(() => ""))
      const lines = (await Promise.all(texts)).join("").split("\n")
      const found = lines.flatMap((line) => shape.safeParse(parseJson(line)).data ?? [])
      return found.filter((one) => one.epoch !== epoch && one.at + WINDOW_MS > now)
    },
  }
}
