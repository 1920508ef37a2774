import type { AuditEntry } from "../../audit/entry.ts"
import { ignoreBroken, typed } from "../broken.ts"
import { idSource } from "../id-source.ts"
import { keys } from "../keys.ts"
import type { RedisClient } from "../script.ts"
import type { StoreOptions } from "../store-options.ts"
import { placeAuditPack } from "./audit.lua.ts"
import { packEntries, unpackEntries } from "./audit-columns.ts"
import { createPacks, forgetInEach } from "./packs.ts"

const FORMAT = { keyOf: keys.auditPack, pack: packEntries, unpack: unpackEntries }

/** An entry that stands alone, and what its record said when it was read. */
export interface AloneEntry {
  entry: AuditEntry
  said: string
}

/** What of an entry's record can change, as the script sees it. */
export function saidBy(hash: Readonly<Record<string, string>>): string {
  const { user, agent, ending, ended, pr, forgotten } = hash
  return [user, agent, ending, ended, pr, forgotten].map((value) => value ?? "").join("\n")
}

export type AuditArchive = ReturnType<typeof createAuditArchive>

/** Entries of the audit that nobody changes any more. A pack is never written over: another takes its place. */
export function createAuditArchive(
  redis: RedisClient,
  { onBroken = ignoreBroken, now }: StoreOptions = {},
) {
  const newId = idSource()
  const packs = createPacks(redis, FORMAT, onBroken)

  /** Oldest first. */
  const ids = async (from: number | string = "-inf", to: number | string = "+inf") =>
    (await typed(keys.auditPacks, redis.zrangebyscore(keys.auditPacks, from, to), onBroken)) ?? []

  /** False, and nothing is changed, where an entry or the pack that is replaced is another by now. */
  async function place(
    entries: readonly AuditEntry[],
    options: { taken?: readonly AloneEntry[]; replaces?: string; keepMs?: number },
  ): Promise<boolean> {
    const { taken = [], replaces = "", keepMs = 0 } = options
    const id = newId()
    const from = { packs: keys.auditPacks, pack: keys.auditPack(id), all: keys.audits }
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
    return packs.write(id, entries, () => placeAuditPack({ redis, now }, from, args, said))
  }

  return {
    ids,
    read: packs.readable,
    place,

    /** Takes a person and their words out of every pack. @throws RecordError where one cannot be read */
    forget: (user: string) =>
      forgetInEach(ids, async (id) => {
        const entries = await packs.read(id)
        if (!entries?.some((entry) => entry.user === user)) return true
        return place(without(user, entries), { replaces: id })
      }),
  }
}

function without(user: string, entries: readonly AuditEntry[]): AuditEntry[] {
  return entries.map((entry) => (entry.user === user ? { ...entry, user: "", words: "" } : entry))
}
