import type { z } from "zod"
import { commit, type Op, read } from "../store/commit.ts"
import { parseRecord } from "../store/record.ts"
import { claim } from "../store/schedule.ts"
import type { Store } from "../store/script.ts"

/** A due record that one worker holds until its lease ends. `at` is when the worker claimed it, in ms. */
export interface Leased<Fields> {
  id: string
  lease: string
  at: number
  record: Fields
}

/** What to write to a record; an undefined field is removed. */
export interface RecordChange {
  set?: Readonly<Record<string, unknown>>
  keepMs?: number
  /** When the record is due next, by Redis's clock in ms; "never" deletes it. */
  due?: { inMs: number } | { at: number } | "never"
}

export type OnBroken = (key: string, error: unknown) => void

/**
 * Keeps records that become due by one schedule. An unreadable record becomes due again after its
 * lease, because another version of the bot may run beside this one.
 */
export function createLeasedRecords<Shape extends z.ZodType>(
  store: Store,
  { shape, schedule, recordPrefix }: { shape: Shape; schedule: string; recordPrefix: string },
  onBroken: OnBroken,
) {
  type Fields = z.output<Shape>

  function parsed(id: string, hash: Readonly<Record<string, string>>): Fields | undefined {
    if (Object.keys(hash).length === 0) return undefined
    try {
      return parseRecord(shape, id, hash)
    } catch (error) {
      onBroken(recordPrefix + id, error)
      return undefined
    }
  }

  function opsFor(id: string, due: RecordChange["due"]): Op[] {
    const entry = { key: schedule, member: id }
    if (due === undefined) return []
    if (due === "never")
      return [
        { do: "leave", ...entry },
        { do: "drop", key: recordPrefix + id },
      ]
    return "at" in due
      ? [{ do: "score", ...entry, score: due.at }]
      : [{ do: "settle", ...entry, inMs: due.inMs }]
  }

  const readHash = async (id: string) => (await read(store, { record: recordPrefix + id })).hash

  function write(id: string, { rev }: { rev?: string }, change: RecordChange, lease?: string) {
    const { due, ...fields } = change
    return commit(store, {
      record: recordPrefix + id,
      rev: rev === undefined ? undefined : Number(rev),
      ...fields,
      ops: opsFor(id, due),
      lease: lease === undefined ? undefined : { key: schedule, member: id, lease },
    })
  }

  /** Writes a change of a leased record. Returns false if another worker holds it by now. */
  async function settle({ id, lease }: Leased<unknown>, change: RecordChange): Promise<boolean> {
    for (;;) {
      const outcome = await write(id, await readHash(id), change, lease)
      if (outcome !== "stale") return outcome === "done"
    }
  }

  return {
    schedule,
    settle,

    find: async (id: string) => parsed(id, await readHash(id)),

    /** Reads and decides; writes unless `decide` returns undefined. Returns the record as it was before. */
    async change(
      id: string,
      decide: (was: Fields | undefined) => RecordChange | undefined,
    ): Promise<Fields | undefined> {
      for (;;) {
        const hash = await readHash(id)
        const was = parsed(id, hash)
        const change = decide(was)
        if (!change || (await write(id, hash, change)) !== "stale") return was
      }
    },

    /** Leases the most overdue record. */
    async claim(leaseMs: number): Promise<Leased<Fields> | undefined> {
      const limits = { limit: 1, leaseMs }
      const { now, lease, rows } = await claim(store, schedule, { recordPrefix }, limits)
      const [row] = rows
      const record = row && parsed(row.id, row.hash)
      return record && { id: row.id, lease, at: now, record }
    },

    /** Stores that the work begins whose end nobody knows after a crash. Returns false if the lease is lost. */
    begin: (held: Leased<unknown>) => settle(held, { set: { begun: "1" } }),
  }
}
