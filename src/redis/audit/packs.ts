import type { AuditEntry } from "../../audit/entry.ts"
import { ignoreBroken, type OnBroken, typed } from "../broken.ts"
import { idSource } from "../id-source.ts"
import { keys } from "../keys.ts"
import { RecordError } from "../record.ts"
import type { Now, RedisClient } from "../script.ts"
import { packEntries, unpackEntries } from "./pack-format.ts"
import { placePack } from "./packs.lua.ts"

/** A pack that comes to nothing is gone after this, ms. */
const UNPLACED_MS = 60_000

/** An entry that stands alone, and what its record said when it was read. */
export interface Alone {
  entry: AuditEntry
  said: string
}

/** What of an entry's record can change, as the script sees it. */
export function saidBy(hash: Readonly<Record<string, string>>): string {
  const { user, agent, ending, ended, pr, forgotten } = hash
  return [user, agent, ending, ended, pr, forgotten].map((value) => value ?? "").join("\n")
}

export type AuditPacks = ReturnType<typeof createAuditPacks>

/**
 * Entries of the audit that nobody changes any more, some hundred in one compressed value. A pack is
 * never written over: another takes its place.
 */
export function createAuditPacks(
  redis: RedisClient,
  { onBroken = ignoreBroken, now }: { onBroken?: OnBroken; now?: Now } = {},
) {
  const on = { redis, now }
  const newId = idSource()

  /** Oldest first. */
  const ids = async (from: number | string = "-inf", to: number | string = "+inf") =>
    (await typed(keys.auditPacks, redis.zrangebyscore(keys.auditPacks, from, to), onBroken)) ?? []

  /** Undefined when it is gone. @throws RecordError */
  async function strictly(id: string): Promise<AuditEntry[] | undefined> {
    const key = keys.auditPack(id)
    const bytes = await typed(key, redis.getBuffer(key), onBroken)
    return bytes ? unpackEntries(id, bytes) : undefined
  }

  async function read(id: string): Promise<AuditEntry[]> {
    try {
      return (await strictly(id)) ?? []
    } catch (error) {
      if (!(error instanceof RecordError)) throw error
      onBroken(keys.auditPack(id), error)
      return []
    }
  }

  /** False, and nothing is changed, where an entry or the pack that is replaced is another by now. */
  async function place(
    entries: readonly AuditEntry[],
    {
      taken = [],
      replaces = "",
      keepMs = 0,
    }: { taken?: readonly Alone[]; replaces?: string; keepMs?: number },
  ): Promise<boolean> {
    const id = newId()
    const pack = keys.auditPack(id)
    await redis.set(pack, await packEntries(entries), "PX", UNPLACED_MS)
    const from = { packs: keys.auditPacks, pack, all: keys.audits }
    const args = {
      id,
      at: Math.min(...entries.map(({ at }) => at)),
      keepMs,
      replaces,
      packPrefix: keys.auditPack(""),
      prefix: keys.audit(""),
      wordsPrefix: keys.auditWords(""),
      minePrefix: keys.auditsOf(""),
    }
    const said = taken.flatMap(({ entry, said }) => [entry.job, entry.user, said])
    const isPlaced = (await placePack(on, from, args, said)) === 1
    if (!isPlaced) await redis.del(pack)
    return isPlaced
  }

  return {
    ids,
    read,
    place,

    /** Takes a person and their words out of every pack. @throws RecordError where one cannot be read */
    async forget(user: string): Promise<void> {
      const known = new Set<string>()
      const left = async () => (await ids()).filter((id) => !known.has(id))
      // What is packed meanwhile is looked at as well.
      for (let some = await left(); some.length > 0; some = await left()) {
        for (const id of some) {
          const entries = await strictly(id)
          const isTheirs = entries?.some((entry) => entry.user === user)
          if (!entries || !isTheirs || (await place(without(user, entries), { replaces: id })))
            known.add(id)
        }
      }
    },
  }
}

function without(user: string, entries: readonly AuditEntry[]): AuditEntry[] {
  return entries.map((entry) => (entry.user === user ? { ...entry, user: "", words: "" } : entry))
}
