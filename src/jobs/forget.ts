import { key } from "../store/keys.ts"
import type { RedisClient } from "../store/script.ts"
import { forgetInAudit } from "./audit.ts"
import type { JobsDeps } from "./deps.ts"
import { newId } from "./ids.ts"
import { jobKeys } from "./keys.ts"
import { forgotten } from "./transitions.ts"

/** The time for which Slack honors the address that a click is answered at, ms. */
const ASKED_MS = 30 * 60_000
/** Keys of one look; the server goes on with its work in between. */
const COUNT = 1000

export type Forgetting = ReturnType<typeof createForgetting>

/**
 * Deletes the words of a person's requests, whether they wait to be confirmed or sent or were sent long ago,
 * and whatever else is theirs alone (`own:<user>:…`). What the bot needs to go on stays: ids of jobs, and
 * who used the slots of the hour. Takes as long as reading the names of all keys does, as lists of what
 * is somebody's are bounded.
 */
export function createForgetting({
  store: { redis },
  jobs,
  delayMs,
}: Pick<JobsDeps, "store" | "jobs" | "delayMs">) {
  const question = (user: string) => key("own", user, "forgetting")
  return {
    /** Notes that they are asked; returns an opaque id for the answer. An earlier question is void. */
    async ask(user: string): Promise<string> {
      const id = newId()
      await redis.set(question(user), id, "PX", ASKED_MS)
      return id
    },

    /** Returns true to one answer, by the person who was asked, in time. */
    async answered(user: string, id: string): Promise<boolean> {
      return (await redis.get(question(user))) === id && (await redis.del(question(user))) === 1
    },

    /**
     * May be repeated. `cancelled`: requests that still waited and never will be sent; `running`: the service
     * has the words of these, the store has not.
     */
    async forget(user: string) {
      const result = { cancelled: 0, running: 0 }
      for (const id of await idsBehind(redis, jobKeys.record(""))) {
        const changed = await jobs.change(id, ({ job, now }) =>
          forgotten(job, { user, delayMs, now }),
        )
        if (!changed) continue
        const { before, job } = changed
        if (before.state === "queued" && job.state === "ended") result.cancelled += 1
        if (job.state === "creating" || job.state === "active") result.running += 1
      }
      const own = await idsBehind(redis, key("own", user, ""))
      for (const name of own) await redis.del(key("own", user, name))
      await forgetInAudit(redis, user)
      return result
    },
  }
}

/** Finds the names of keys behind a prefix. */
async function idsBehind(redis: RedisClient, prefix: string): Promise<string[]> {
  const nodes = "nodes" in redis ? redis.nodes("master") : [redis]
  const found = new Set<string>()
  for (const node of nodes) {
    let cursor = "0"
    do {
      const [next, names] = await node.scan(cursor, "MATCH", `${prefix}*`, "COUNT", COUNT)
      for (const name of names) found.add(name.slice(prefix.length))
      cursor = next
    } while (cursor !== "0")
  }
  return [...found]
}
