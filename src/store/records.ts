import { setTimeout as delay } from "node:timers/promises"
import { z } from "zod"
import { commit, type Writing } from "./commit.ts"
import { RecordError } from "./record-fields.ts"
import { claim, flatHash, READ_OR } from "./schedule.ts"
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

  return {
    parsed,

    find: async (id: string): Promise<Value | undefined> => {
      const [now, hash] = await readScript(store, { record: kind.record(id) }, {})
      return parsed(id, hash, now)
    },

    /**
     * Reads, decides and writes; starts over after a conflict. Resolves to the answer of `unless`
     * if one of its reasons applies, and to undefined if the lease is gone.
     */
    async change<Result, Refused extends string = never>(
      id: string,
      decide: (
        was: Value | undefined,
        now: number,
      ) => { write?: Omit<Writing, "record" | "rev">; result: Result },
    ): Promise<Result | Refused | undefined> {
      for (let tries = 0; tries < TRIES; tries += 1) {
        const [now, hash] = await readScript(store, { record: kind.record(id) }, {})
        const { write, result } = decide(parsed(id, hash, now), now)
        if (!write) return result
        const rev = hash.rev === undefined ? undefined : Number(hash.rev)
        const [answer] = await commit(store, { record: kind.record(id), rev, ...write })
        if (answer === "done") return result
        if (answer !== "stale") return answer === "lost" ? undefined : (answer as Refused)
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
