import type { AuditEntry } from "../../audit/entry.ts"
import { keys } from "../keys.ts"
import type { Now, RedisClient } from "../script.ts"
import { beginPacking } from "./packs.lua.ts"
import type { Alone, AuditPacks } from "./packs.ts"

/** Entries of a pack: more compress little better, and a script must not look at too many. */
const MOST = 1000
/** Ids of one look. */
const LOOK = 500
/** A pack spans so much of the time that the audit is kept: it is deleted with its oldest entry. */
const SHARE = 1 / 360
/** A job that did not end within this time is packed as it is, ms. */
const ENDLESS_MS = 2 * 86_400_000

export interface PackingOptions {
  keepMs: number
  /** From the end of a job until its entry is packed, ms: it may yet be followed again. */
  restMs: number
  /** Before the first pack ever, ms: processes of an older version, which read none, are gone by then. */
  afterMs: number
  /** So many are packed at once, fewer only after hours. */
  few: number
  /** Undefined for what is gone or cannot be read. */
  readAlone: (ids: readonly string[]) => Promise<(Alone & { again: boolean })[]>
  now?: Now
}

/** Packs what has come to rest; true while there is more. */
export function packing(
  redis: RedisClient,
  packs: AuditPacks,
  { keepMs, restMs, afterMs, few, readAlone, now }: PackingOptions,
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
  async function putBack(alone: Alone): Promise<boolean> {
    const { entry } = alone
    for (const id of await packs.ids(entry.at - spanMs, entry.at)) {
      const entries = await packs.read(id)
      const before = entries.find(({ job }) => job === entry.job)
      if (!before) continue
      const isForgotten = before.user === "" && entry.user !== ""
      const now = isForgotten ? { ...entry, user: "", words: "" } : entry
      const others = entries.map((other) => (other === before ? now : other))
      return packs.place(others, { taken: [alone], replaces: id })
    }
    return false
  }

  return async () => {
    const args = { afterMs, keepMs, packPrefix: keys.auditPack("") }
    const from = { packsFrom: keys.auditPacksFrom, packs: keys.auditPacks, all: keys.audits }
    const [at, count, oldest] = await beginPacking({ redis, now }, from, args)
    const isOver = (first: number) => at > first + spanMs + restMs
    // Mostly there is nothing to do, and then nothing is read.
    if (count === 0 || (count < few && !isOver(oldest))) return false
    const found: Alone[] = []
    for (const alone of await rested(at))
      if (!(alone.again && (await putBack(alone)))) found.push(alone)
    const first = found[0]?.entry.at ?? Number.POSITIVE_INFINITY
    const together = found.filter(({ entry }) => entry.at < first + spanMs).slice(0, MOST)
    if (together.length === 0 || (together.length < few && !isOver(first))) return false
    const entries = together.map(({ entry }) => entry)
    return packs.place(entries, { taken: together, keepMs })
  }
}
