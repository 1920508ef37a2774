import type { z } from "zod"
import type { Op } from "../store/commit.ts"
import { parseRecord } from "../store/record.ts"
import { createRecords, type OnBroken } from "../store/records.ts"
import type { Store } from "../store/script.ts"

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

export function createLeasedRecords<Shape extends z.ZodType>(
  store: Store,
  { shape, schedule, recordPrefix }: { shape: Shape; schedule: string; recordPrefix: string },
  onBroken: OnBroken,
) {
  type Fields = z.output<Shape>
  const record = (id: string) => recordPrefix + id
  const parse = (id: string, hash: Record<string, string>) => parseRecord(shape, id, hash)
  const records = createRecords<Fields>(store, { record, parse }, onBroken)

  function opsFor(id: string, due: RecordChange["due"]): Op[] {
    const entry = { key: schedule, member: id }
    const drop = { do: "drop", key: record(id) } as const
    if (due === undefined) return []
    if (due === "never") return [{ do: "settle", ...entry }, drop]
    if ("at" in due) return [{ do: "score", ...entry, score: due.at }]
    return [{ do: "settle", ...entry, inMs: due.inMs }]
  }

  /** Writes a change of a leased record. Resolves to false if another worker has taken it over. */
  async function settle({ id, lease }: Leased<unknown>, change: RecordChange): Promise<boolean> {
    const { due, ...fields } = change
    const held = { key: schedule, member: id, lease }
    const write = { ...fields, ops: opsFor(id, due), lease: held }
    return (await records.change(id, () => ({ write, result: "written" }))) === "written"
  }

  return {
    schedule,
    settle,
    find: records.find,

    /** Reads and decides; writes unless `decide` returns undefined. Returns the earlier record. */
    async change(
      id: string,
      decide: (was: Fields | undefined) => RecordChange | undefined,
    ): Promise<Fields | undefined> {
      const was = await records.change(id, (result) => {
        const change = decide(result)
        if (!change) return { result }
        const { due, ...fields } = change
        return { write: { ...fields, ops: opsFor(id, due) }, result }
      })
      return was === "lost" ? undefined : was
    },

    claim: async (leaseMs: number): Promise<Leased<Fields> | undefined> =>
      (await records.claim(schedule, { limit: 1, leaseMs }))[0],

    /** Stores that the work began: a crash leaves its end unknown. False if the lease is lost. */
    begin: (held: Leased<unknown>) => settle(held, { set: { begun: "1" } }),
  }
}
