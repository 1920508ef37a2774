import type { z } from "zod"
import { commit, type Op, read, type Writing } from "../store/commit.ts"
import { parseRecord, RecordError } from "../store/record.ts"
import { claim } from "../store/schedule.ts"
import type { Store } from "../store/script.ts"

/** A record that is due, held by one worker until its lease ends. `at`: when it was claimed, ms. */
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
 * Keeps records that come up by one schedule. A record that cannot be read comes back after its lease:
 * another version may run beside this one.
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

  /** Reads, decides and writes, again where somebody else wrote meanwhile. Undefined where the lease is lost. */
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

    /** Holds the record that is due longest. */
    async claim(leaseMs: number): Promise<Leased<z.output<Shape>> | undefined> {
      const limits = { limit: 1, leaseMs }
      const { now, lease, rows } = await claim(store, schedule, { recordPrefix }, limits)
      const [row] = rows
      const record = row && parsed(row.id, row.hash)
      return record && { id: row.id, lease, at: now, record }
    },

    /** Writes down what became of a held record. False where the lease is lost. */
    settle: async ({ id, lease }: Leased<unknown>, wanted: Omit<Decision<true>, "result">) =>
      (await change(id, () => ({ ...wanted, result: true }), lease)) ?? false,

    /** The write that deletes a record. */
    dropped: (id: string): Op[] => [
      { do: "leave", key: schedule, member: id },
      { do: "drop", key: recordPrefix + id },
    ],
  }
}
