import { z } from "zod"
import { currentTime } from "../store/clock.ts"
import { commit, type Op, read } from "../store/commit.ts"
import { key } from "../store/keys.ts"
import { flagField, numberField, parseRecord, RecordError } from "../store/record.ts"
import { claim } from "../store/schedule.ts"
import type { Store } from "../store/script.ts"

/** Something that is due, held by one process until its lease ends. */
export interface Claim<T> {
  id: string
  lease: string
  /** When it was claimed, ms. */
  at: number
  /** Which try this is; 1 is the first. */
  tries: number
  /** A post was begun, and nobody wrote down how it ended. */
  begun: boolean
  record: T
}

/** Fields that a change sets and unsets, and what it does to the schedule. */
export interface Change<R> {
  set?: Readonly<Record<string, string>>
  unset?: readonly string[]
  keepMs?: number
  ops?: readonly Op[]
  result: R
}

export type OnBroken = (key: string, error: unknown) => void

const held = z.object({
  tries: numberField.default(0),
  begun: z.exactOptional(flagField),
})

/**
 * Records of the visitors feature that have something due at moments.
 * @param kind names the keys
 */
export function createScheduledRecords<S extends z.ZodType>(
  store: Store,
  kind: string,
  shape: S,
  onBroken: OnBroken,
) {
  const schedule = key("v", kind, "due")
  const recordPrefix = `${key("v", kind)}:`
  type Found = z.output<S> | undefined
  type Held = Claim<z.output<S>>

  function parsed(id: string, hash: Readonly<Record<string, string>>): Found {
    if (Object.keys(hash).length === 0) return undefined
    try {
      return parseRecord(shape, `${kind} ${id}`, hash)
    } catch (error) {
      if (!(error instanceof RecordError)) throw error
      onBroken(recordPrefix + id, error)
      return undefined
    }
  }

  /** Reads, decides and writes, again where somebody else wrote meanwhile. Undefined where the lease is lost. */
  async function change<R>(
    id: string,
    decide: (was: Found) => Change<R>,
    lease?: string,
  ): Promise<R | undefined> {
    const record = recordPrefix + id
    for (;;) {
      const { hash } = await read(store, { record })
      const { result, ...wanted } = decide(parsed(id, hash))
      if (Object.keys(wanted).length === 0) return result
      const rev = hash.rev === undefined ? undefined : Number(hash.rev)
      const holding = lease && { lease: { key: schedule, member: id, lease } }
      const outcome = await commit(store, { record, rev, ...wanted, ...holding })
      if (outcome === "done") return result
      if (outcome === "lost") return undefined
    }
  }

  const settled = (id: string, inMs?: number): Op[] => [
    { do: "settle", key: schedule, member: id, ...(inMs === undefined ? {} : { inMs }) },
  ]

  return {
    schedule,
    change,

    /** Deletes a record, and what it had due. */
    dropped: (id: string): Op[] => [
      { do: "leave", key: schedule, member: id },
      { do: "drop", key: recordPrefix + id },
    ],

    async find(id: string): Promise<Found> {
      return parsed(id, (await read(store, { record: recordPrefix + id })).hash)
    },

    /** A record that cannot be read comes back after its lease: another version may run beside this one. */
    async claim(leaseMs: number): Promise<Held | undefined> {
      const { now, lease, rows } = await claim(
        store,
        schedule,
        { recordPrefix },
        { limit: 1, leaseMs },
      )
      const [row] = rows
      const record = row && parsed(row.id, row.hash)
      if (!row || record === undefined) return undefined
      const { tries, begun = false } = held.safeParse(row.hash).data ?? { tries: 0 }
      return { id: row.id, lease, at: now, tries: tries + 1, begun, record }
    },

    /** Until the first one is due, ms; undefined when there is none. */
    async untilDue(): Promise<number | undefined> {
      const [, score] = await store.redis.zrange(schedule, "0", "0", "WITHSCORES")
      return score === undefined
        ? undefined
        : Math.max(0, Number(score) - (await currentTime(store)))
    },

    /** Written down before a post. False where the lease is lost. */
    async begin({ id, lease }: Held): Promise<boolean> {
      return (await change(id, () => ({ set: { begun: "1" }, result: true }), lease)) ?? false
    },

    /** @param begun it may have been posted: then it is looked for first */
    async again({ id, lease, tries }: Held, afterMs: number, begun = false): Promise<void> {
      const mark = begun
        ? { set: { tries: `${tries}`, begun: "1" } }
        : { set: { tries: `${tries}` } }
      const unset = begun ? {} : { unset: ["begun"] }
      const ops = settled(id, afterMs)
      await change(id, () => ({ ...mark, ...unset, ops, result: undefined }), lease)
    },

    /** It is dealt with, and due again at that moment. @param set written with it */
    async next({ id, lease }: Held, dueAt: number, set: Readonly<Record<string, string>>) {
      const ops: Op[] = [{ do: "score", key: schedule, member: id, score: dueAt }]
      await change(id, () => ({ set, unset: ["tries", "begun"], ops, result: undefined }), lease)
    },

    /** It is dealt with, for good. */
    async end({ id, lease }: Held): Promise<void> {
      const drop: Op = { do: "drop", key: recordPrefix + id }
      await change(id, () => ({ ops: [...settled(id), drop], result: undefined }), lease)
    },
  }
}
