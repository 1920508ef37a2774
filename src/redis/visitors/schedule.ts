import { randomUUID } from "node:crypto"
import { untilFirst } from "../clock.ts"
import type { Now, RedisClient } from "../script.ts"
import { claimDue, putDue, settleClaim } from "./schedule.lua.ts"

/** Something that is due, held by one process until its lease ends. */
export interface Claim {
  id: string
  lease: string
  /** When it was claimed, and when it was due, ms. */
  at: number
  dueAt: number
  /** Which try this is; 1 is the first. */
  tries: number
  /** A post was begun, and nobody wrote down how it ended. */
  begun: boolean
}

/** Ids by the moment they are due. @param keys the sorted set, and what is known of the claims */
export function createSchedule(redis: RedisClient, keys: { due: string; work: string }, now: Now) {
  const on = { redis, now }
  async function settle({ id, lease }: Claim, what: string, ms = 0): Promise<boolean> {
    return (await settleClaim(on, keys, { id, lease, what, ms: Math.round(ms) })) === 1
  }

  return {
    /** From now on this id is due at that moment; who holds it loses it. */
    async put(id: string, dueAt: number): Promise<void> {
      await putDue(on, keys, { id, at: dueAt })
    },

    async remove(id: string): Promise<void> {
      const fields = ["lease", "due", "tries", "begun"].map((of) => `${id}:${of}`)
      await redis
        .multi()
        .zrem(keys.due, id)
        .hdel(keys.work, ...fields)
        .exec()
    },

    async claim(leaseMs: number): Promise<Claim | undefined> {
      const lease = randomUUID()
      const [id, dueAt = 0, tries = 1, begun, at = 0] = await claimDue(on, keys, { lease, leaseMs })
      return id === undefined ? undefined : { id, lease, at, dueAt, tries, begun: begun === 1 }
    },

    /** Until the first one is due, ms; undefined when there is none. */
    untilDue: () => untilFirst(redis, keys.due, now),
    /** False where the lease is lost. */
    renew: (claim: Claim, leaseMs: number) => settle(claim, "hold", leaseMs),
    /** Written down before a post. False where the lease is lost. */
    begin: (claim: Claim) => settle(claim, "begin"),
    /** @param begun it may have been posted */
    again: (claim: Claim, afterMs: number, begun = false) =>
      settle(claim, begun ? "unsure" : "again", afterMs),
    next: (claim: Claim, dueAt: number) => settle(claim, "next", dueAt),
    end: (claim: Claim) => settle(claim, "end"),
  }
}
