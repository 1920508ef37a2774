import { ignoreBroken, typed } from "../broken.ts"
import { keys } from "../keys.ts"
import type { RedisClient } from "../script.ts"

/** Keys of one look; the server goes on with its work in between. */
const COUNT = 1000

/**
 * Ids of all jobs and entries in the audit that a person has left, wherever they are: lists of what
 * is somebody's are bounded, and end before what they once named. Takes as long as reading the names
 * of all keys does.
 */
export async function tracesOf(redis: RedisClient, user: string): Promise<string[]> {
  const [jobs, entries] = await Promise.all([
    idsBehind(redis, keys.job("")),
    idsBehind(redis, keys.audit("")),
  ])
  const [ofJobs, ofEntries] = await Promise.all([
    belonging(redis, user, jobs, keys.job),
    belonging(redis, user, entries, keys.audit),
  ])
  return [...ofJobs, ...ofEntries]
}

/** What follows a prefix in the names of keys. */
async function idsBehind(redis: RedisClient, prefix: string): Promise<string[]> {
  const nodes = "nodes" in redis ? redis.nodes("master") : [redis]
  const found: string[] = []
  for (const node of nodes) {
    let cursor = "0"
    do {
      const [next, names] = await node.scan(cursor, "MATCH", `${prefix}*`, "COUNT", COUNT)
      found.push(...names.map((name) => name.slice(prefix.length)))
      cursor = next
    } while (cursor !== "0")
  }
  return [...new Set(found)]
}

async function belonging(
  redis: RedisClient,
  user: string,
  ids: readonly string[],
  keyOf: (id: string) => string,
): Promise<string[]> {
  const own: string[] = []
  for (let from = 0; from < ids.length; from += COUNT) {
    const some = ids.slice(from, from + COUNT)
    const users = await Promise.all(
      some.map((id) => typed(keyOf(id), redis.hget(keyOf(id), "user"), ignoreBroken)),
    )
    own.push(...some.filter((_, n) => users[n] === user))
  }
  return own
}
