import type { AuditEntry } from "../../audit/entry.ts"
import type { PackTimes } from "../../config/timing.ts"
import { keys } from "../keys.ts"
import type { Now, RedisClient } from "../script.ts"
import { beginPackingEntries } from "./audit.lua.ts"
import type { AloneEntry, AuditArchive } from "./audit.ts"

/** Entries of a pack: more compress little better, and a script must not look at too many. */
const MOST = 1000
/** Ids of one look. */
const LOOK = 500
/** A pack spans so much of the time that the audit is kept: it is deleted with its oldest entry. */
const SHARE = 1 / 360
/** A job that did not end within this time is packed as it is, ms. */
const ENDLESS_MS = 2 * 86_400_000

interface AuditPacking extends PackTimes {
  keepMs: number
  /** Undefined for what is gone or cannot be read. */
  readAlone: (ids: readonly string[]) => Promise<(AloneEntry & { again: boolean })[]>
  now?: Now
}

/** Packs the entries that have come to rest; true while there are more. */
export function auditPacking(
  redis: RedisClient,
  archive: AuditArchive,
  { keepMs, restMs, afterMs, few, readAlone, now }: AuditPacking,
): () => Promise<boolean> {
  const spanMs = keepMs * SHARE

  /** The oldest that have come to rest. */
  async function rested(at: number) {
    const found: Awaited<ReturnType<typeof readAlone>> = []
    for (let from = 0; found.length < MOST; from += LOOK) {
      const ids = await redis.zrange(keys.audits, String(from), String(from + LOOK - 1))
      const entries = await readAlone(ids)
      found.push(...entries.filter(({ entry }) => isAtRest(entry, at)))
      if (ids.length < LOOK) break
    }
    return found
  }

  function isAtRest({ at: asked, endedAt }: AuditEntry, at: number): boolean {
    return endedAt === undefined ? asked < at - ENDLESS_MS : endedAt < at - restMs
  }

  /** Puts it where it stood before its job was followed again. */
  async function putBack(alone: AloneEntry): Promise<boolean> {
    const { entry } = alone
    for (const id of await archive.ids(entry.at - spanMs, entry.at)) {
      const entries = await archive.read(id)
      const before = entries.find(({ job }) => job === entry.job)
      if (!before) continue
      const isForgotten = before.user === "" && entry.user !== ""
      const now = isForgotten ? { ...entry, user: "", words: "" } : entry
      const others = entries.map((other) => (other === before ? now : other))
      return archive.place(others, { taken: [alone], replaces: id })
    }
    return false
  }

  return async () => {
    const args = { afterMs, keepMs, packPrefix: keys.auditPack("") }
    const from = { packsFrom: keys.auditPacksFrom, packs: keys.auditPacks, all: keys.audits }
    const [at, count, oldest] = await beginPackingEntries({ redis, now }, from, args)
    const isOver = (first: number) => at > first + spanMs + restMs
    // Mostly there is nothing to do, and then nothing is read.
    if (count === 0 || (count < few && !isOver(oldest))) return false
    const found: AloneEntry[] = []
    for (const alone of await rested(at))
      if (!(alone.again && (await putBack(alone)))) found.push(alone)
    const first = found[0]?.entry.at ?? Number.POSITIVE_INFINITY
    const together = found.filter(({ entry }) => entry.at < first + spanMs).slice(0, MOST)
    if (together.length === 0 || (together.length < few && !isOver(first))) return false
    const entries = together.map(({ entry }) => entry)
    return archive.place(entries, { taken: together, keepMs })
  }
}
