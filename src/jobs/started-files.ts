import { randomUUID } from "node:crypto"
import { appendFile, mkdir, readdir, readFile, rm } from "node:fs/promises"
import { join } from "node:path"
import { z } from "zod"
import { WINDOW_MS } from "../config/timing.ts"
import { parseJson } from "../text/json.ts"

const shape = z.object({
  queue: z.string(),
  /** As in the hour's log: see `slotOf`. */
  slot: z.string(),
  /** The latest moment it can have arrived at the service, by Redis' clock, ms; absent: it had no effect. */
  at: z.number().exactOptional(),
})
export type Started = z.infer<typeof shape>

const HOUR_MS = 3_600_000
/** One file for each hour and process, named by the hour. */
const NAME = /^started-(\d+)-/

/**
 * Keeps on disk what this machine's workers started in the last hour, so that a restart knows of it even where
 * Redis lost everything meanwhile. Without a folder to write to, only living workers know.
 */
export function createStartedFiles(dataDir: string, onFailed: (error: unknown) => void) {
  const folder = join(dataDir, "started")
  const own = randomUUID()

  async function olderThan(hour: number): Promise<void> {
    const old = (await readdir(folder)).filter((name) => Number(NAME.exec(name)?.[1]) < hour)
    await Promise.all(old.map((name) => rm(join(folder, name), { force: true })))
  }

  return {
    /** Resolves once it is written, or could not be. @param now by Redis' clock, ms */
    async note(started: Started, now: number): Promise<void> {
      const hour = Math.floor(now / HOUR_MS)
      const line = `${JSON.stringify(started)}\n`
      try {
        await mkdir(folder, { recursive: true, mode: 0o700 })
        await appendFile(join(folder, `started-${hour}-${own}`), line, { mode: 0o600 })
        await olderThan(hour - 2)
      } catch (error) {
        onFailed(error)
      }
    },

    /** What counts in the present hour. What is written last about a slot holds. */
    async read(now: number): Promise<Started[]> {
      const names = await readdir(folder).catch(() => [])
      const texts = names
        .filter((name) => NAME.test(name))
        .map((name) => readFile(join(folder, name), "utf8").catch(() => ""))
      const lines = (await Promise.all(texts)).join("").split("\n")
      const found = lines.flatMap((line) => shape.safeParse(parseJson(line)).data ?? [])
      const latest = new Map(found.map((one) => [`${one.queue} ${one.slot}`, one]))
      return [...latest.values()].filter(({ at = 0 }) => at + WINDOW_MS > now)
    },
  }
}
