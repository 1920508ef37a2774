import type { z } from "zod"
import { commit, type Op, read, type Writing } from "../store/commit.ts"
import { parseRecord, RecordError } from "../store/record.ts"
import { claim } from "../store/schedule.ts"
import type { Store } from "../store/script.ts"

/** A due record that one worker holds until its lease ends. `at` is when the worker claimed it, ms. */
export interface Leased<Fields> {
  id: string
  lease: string
  at: number
  record: Fields
}

/** The change to write, if any, and the result for the caller. */
type Decision<R> = Pick<Writing, "set" | "ops" | "keepMs"> & { result: R }

export type OnBroken = (key: string, error: unknown) => void

/**
 * Keeps records that become due by one schedule. An unreadable record becomes due again after its
 * lease, because another version of the bot may run beside this one.
 */
export function createLeasedRecords<Shape extends z.ZodType>(
  store: Store,
  of: { shape: Shape; schedule: string; recordPrefix: string },
  onBroken: OnBroken,
) {
  const { shape, schedule, recordPrefix } = of

  function parsed(id: string, hash: Readonly<Record<string, string>>): z.output<Shape> | undefined {
    if (Object.keys(hash).length === 0) return undefined
    try {
      return parseRecord(shape, id, hash)
    } catch (error) {
      if (!(error instanceof RecordError)) throw error
      onBroken(recordPrefix + id, error)
      return undefined
    }
  }

  /**
   * Reads, decides and writes; starts over if another process wrote meanwhile. Returns undefined if
   * the lease is lost.
   */
  async function change<R>(
    id: string,
    decide: (was: z.output<Shape> | undefined) => Decision<R>,
    lease?: string,
  ): Promise<R | undefined> {
    const record = recordPrefix + id
    for (;;) {
      const { hash } = await read(store, { record })
      const { result, ...wanted } = decide(parsed(id, hash))
      if (Object.keys(wanted).length === 0) return result
      const rev = hash.rev === undefined ? undefined : Number(hash.rev)
      const held = lease === undefined ? undefined : { key: schedule, member: id, lease }
      const outcome = await commit(store, { record, rev, ...wanted, lease: held })
      if (outcome !== "stale") return outcome === "done" ? result : undefined
    }
  }

  return {
    schedule,
    change,

    find: async (id: string) => parsed(id, (await read(store, { record: recordPrefix + id })).hash),

    /** Leases the most overdue record. */
    async claim(leaseMs: number): Promise<Leased<z.output<Shape>> | undefined> {
      const limits = { limit: 1, leaseMs }
      const { now, lease, rows } = await claim(store, schedule, { recordPrefix }, limits)
      const [row] = rows
      const record = row && parsed(row.id, row.hash)
      return record && { id: row.id, lease, at: now, record }
    },

    /** Writes a change of a leased record and ends the lease. Returns false if the lease is lost. */
    settle: async ({ id, lease }: Leased<unknown>, wanted: Omit<Decision<true>, "result">) =>
      (await change(id, () => ({ ...wanted, result: true }), lease)) ?? false,

    /** Returns the operations that delete a record. */
    dropped: (id: string): Op[] => [
      { do: "leave", key: schedule, member: id },
      { do: "drop", key: recordPrefix + id },
    ],
  }
}
