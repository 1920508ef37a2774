import type { z } from "zod"
import type { Op } from "./commit.ts"
import { parseRecord } from "./record-fields.ts"
import { createRecords, type OnBroken } from "./records.ts"
import { laterLease } from "./schedule.ts"
import type { Store } from "./script.ts"

/** Due record that one worker has claimed, at `now` in ms, until its lease ends. */
export interface Leased<Fields> {
  id: string
  lease: string
  now: number
  value: Fields
}

export interface RecordChange {
  set?: Readonly<Record<string, unknown>>
  keepMs?: number
  /** Time when the record is due next, by Redis's clock in ms; "never" deletes it. */
  due?: { inMs: number } | { at: number } | "never"
}

type Keys = Record<"schedule" | "recordPrefix", string>

export function createLeasedRecords<Fields>(
  store: Store,
  shape: z.ZodType<Fields>,
  keys: Keys,
  onBroken: OnBroken,
) {
  const record = (id: string) => keys.recordPrefix + id
  const parse = (id: string, hash: Record<string, string>) => parseRecord(shape, id, hash)
  const records = createRecords<Fields>(store, { record, parse }, onBroken)

  /**
   * Writes a change to a leased record, which people may have changed since it was claimed. Resolves
   * to false if another worker has taken it over.
   */
  async function settle(
    { id, lease, value }: Leased<Fields>,
    change: RecordChange | ((latest: Fields, now: number) => RecordChange),
  ): Promise<boolean> {
    const isDone = await records.change(id, (latest = value, now) => {
      const fields = typeof change === "function" ? change(latest, now) : change
      return { write: writingOf(keys, id, fields, lease), result: true }
    })
    return isDone === true
  }

  return {
    schedule: keys.schedule,
    settle,
    find: records.find,

    /** Lists the ids that begin so, also those that this process would not make up. */
    idsOf: async (prefix: string) =>
      (await store.redis.zrange(keys.schedule, "0", "-1")).filter((id) => id.startsWith(prefix)),

    /** Reads and decides; writes unless `decide` returns undefined. Returns the earlier record. */
    change: (id: string, decide: (was: Fields | undefined) => RecordChange | undefined) =>
      records.change(id, (result) => {
        const change = decide(result)
        return change ? { write: writingOf(keys, id, change), result } : { result }
      }),

    /**
     * Extends the lease and notes the new one in `held`, by which the caller holds the record from
     * then on. Resolves to false if another worker has taken it over.
     */
    async renew(held: Leased<Fields>, ms: number): Promise<boolean> {
      const leaseUntil = laterLease(held.lease, ms)
      const isHeld = await settle(held, { due: { at: leaseUntil } })
      if (isHeld) held.lease = String(leaseUntil)
      return isHeld
    },

    /** Claims the most overdue record, or returns the wait in ms until one is due. */
    async claim(leaseMs: number): Promise<Leased<Fields> | number> {
      const { held, waitMs } = await records.claim(keys.schedule, { limit: 1, leaseMs })
      return held[0] ?? waitMs
    },
  }
}

/** Returns the write of a change and of its place in the schedule. @param lease that it requires */
function writingOf(keys: Keys, id: string, { due, ...fields }: RecordChange, lease?: string) {
  const entry = { key: keys.schedule, member: id }
  const record = keys.recordPrefix + id
  const ops: Op[] = []
  if (due === "never") ops.push({ do: "leave", ...entry }, { do: "drop", key: record })
  else if (due && "at" in due) ops.push({ do: "score", ...entry, score: due.at })
  else if (due) ops.push({ do: "give_back", ...entry, inMs: due.inMs })
  return { ...fields, ops, lease: lease === undefined ? undefined : { ...entry, lease } }
}
