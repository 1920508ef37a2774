import { setTimeout as delay } from "node:timers/promises"
import { z } from "zod"
import { commit, type Op, type Writing } from "./commit.ts"
import { parseRecord, RecordError } from "./record-fields.ts"
import { claim, flatHash, giveBack, laterLease, READ_OR } from "./schedule-and-leases.ts"
import { type Store, script } from "./script.ts"

/**
 * Maximum attempts at a change; after each failed one, another change had been written first. More
 * than the follow-ups that may wait in a thread, which may all come at once.
 */
const TRIES = 100
/** Longest wait in ms before the third attempt; it grows with each further one. */
const APART_MS = 10

const readScript = script(
  z.tuple([z.number(), flatHash]),
  "record",
  "",
  `${READ_OR}
return {now, readOr({'', ''}, 'HGETALL', record)}
`,
)

/** Receives the key of a record that cannot be read, which must not stop the others. */
export type OnBroken = (key: string, error: unknown) => void

/** Returns whether a hash is no record, or only the note of a deleted one: see `commit`. */
function isAbsent(hash: Record<string, string>): boolean {
  return Object.keys(hash).every((field) => field === "done")
}

interface RecordKind<Value> {
  record: (id: string) => string
  parse: (id: string, hash: Record<string, string>, now: number) => Value
}

/** Creates a store of one kind of record, which finds, leases and changes them. */
export function createRecords<Value>(store: Store, kind: RecordKind<Value>, onBroken: OnBroken) {
  function parsed(id: string, hash: Record<string, string>, now: number) {
    if (isAbsent(hash)) return undefined
    try {
      return kind.parse(id, hash, now)
    } catch (error) {
      if (!(error instanceof RecordError)) throw error
      onBroken(kind.record(id), error)
      return undefined
    }
  }

  /** Reads a record with its `rev`; the value is undefined if there is none that parses. */
  async function read(id: string) {
    const [now, hash] = await readScript(store, { record: kind.record(id) }, {})
    return { now, rev: hash.rev, value: parsed(id, hash, now) }
  }

  return {
    parsed,
    read,

    find: async (id: string): Promise<Value | undefined> => (await read(id)).value,

    /**
     * Reads, decides and writes; starts over after a conflict. Resolves to the result or, if nothing
     * was written, to `commit`'s answer: `lost`, or a reason of `unless`.
     */
    async change<Result, Refused extends string = never>(
      id: string,
      decide: (
        before: Value | undefined,
        now: number,
      ) => { write: Omit<Writing, "record" | "rev"> | undefined; result: Result },
    ): Promise<Result | Refused> {
      for (let tries = 0; tries < TRIES; tries += 1) {
        const { now, rev, value } = await read(id)
        const { write, result } = decide(value, now)
        if (!write) return result
        const [answer] = await commit(store, { record: kind.record(id), rev, ...write })
        if (answer === "done") return result
        if (answer !== "stale") return answer as Refused
        // Spreads writers that came together, so that they don't all collide again.
        await delay(Math.random() * APART_MS * tries)
      }
      throw new Error(`${kind.record(id)} changes faster than it can be written. Try again.`)
    },

    /** Leases what is due. `waitMs` is the wait until the next is, infinite if nothing will be. */
    async claim(schedule: string, limits: { limit: number; leaseMs: number }) {
      const args = { ...limits, recordPrefix: kind.record("") }
      const [now, lease, rows, waitMs] = await claim(store, { schedule }, args)
      const held = rows.flatMap(([id, hash]) => {
        const value = parsed(id, hash, now)
        return value === undefined ? [] : [{ id, lease, now, value }]
      })
      return { held, waitMs }
    },
  }
}

/** Due record that one worker has claimed, at `now` in ms, until its lease ends. */
export interface Leased<Fields> {
  id: string
  lease: string
  now: number
  value: Fields
}

/** Outcome of a write. `lost`: another worker has taken the record over; `gone`: it was deleted. */
type LeasedWrite = "done" | "lost" | "gone"

export interface RecordChange {
  set?: Readonly<Record<string, unknown>>
  keepMs?: number
  /** Time when the record is due next, by Redis's clock in ms; "never" deletes it. */
  due?: { inMs: number } | { at: number } | "never"
}

type Keys = Record<"schedule" | "recordPrefix", string>

/** Creates a store of records that are due one at a time, each for the worker that leases it. */
export function createLeasedRecords<Fields>(
  store: Store,
  shape: z.ZodType<Fields>,
  keys: Keys,
  onBroken: OnBroken,
) {
  const record = (id: string) => keys.recordPrefix + id
  const parse = (id: string, hash: Record<string, string>) => parseRecord(shape, id, hash)
  const records = createRecords<Fields>(store, { record, parse }, onBroken)

  /** Writes a change to a leased record, which people may have changed since it was claimed. */
  async function write(
    { id, lease }: Leased<Fields>,
    change: RecordChange | ((latest: Fields, now: number) => RecordChange),
  ): Promise<LeasedWrite> {
    const answer = await records.change<"done" | "gone", "lost">(id, (latest, now) => {
      if (latest === undefined) return { write: undefined, result: "gone" }
      const fields = typeof change === "function" ? change(latest, now) : change
      return { write: writingOf(keys, id, fields, lease), result: "done" }
    })
    // Nothing is left to be due once the lease ends.
    if (answer === "gone") await giveBack(store, keys.schedule, { id, lease }, "done")
    return answer
  }

  return {
    schedule: keys.schedule,
    write,
    find: records.find,

    /** Lists the ids that begin so, also those that this process would not make up. */
    idsOf: async (prefix: string) =>
      (await store.redis.zrange(keys.schedule, "0", "-1")).filter((id) => id.startsWith(prefix)),

    /** Reads and decides; writes unless `decide` returns undefined. Returns the earlier record. */
    change: (id: string, decide: (before: Fields | undefined) => RecordChange | undefined) =>
      records.change(id, (before) => {
        const change = decide(before)
        return { write: change && writingOf(keys, id, change), result: before }
      }),

    /**
     * Extends the lease and notes the new one in `held`, by which the caller holds the record from
     * then on.
     */
    async renew(held: Leased<Fields>, ms: number): Promise<LeasedWrite> {
      const leaseUntil = laterLease(held.lease, ms)
      const outcome = await write(held, { due: { at: leaseUntil } })
      if (outcome === "done") held.lease = String(leaseUntil)
      return outcome
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
