import { ignoreBroken, typed } from "../broken.ts"
import { keys } from "../keys.ts"
import type { RedisClient } from "../script.ts"

/** Keys of one look; the server goes on with its work in between. */
const COUNT = 1000

/**
 * Finds ids of all jobs that a person has left, wherever they are: lists of what is somebody's are
 * bounded, and end before what they once named. Takes as long as reading the names of all keys does.
 */
export async function tracesOf(redis: RedisClient, user: string): Promise<string[]> {
  const jobs = await idsBehind(redis, keys.job(""))
  const own: string[] = []
  for (let from = 0; from < jobs.length; from += COUNT) {
    const some = jobs.slice(from, from + COUNT)
    const users = await Promise.all(
      some.map((id) => typed(keys.job(id), redis.hget(keys.job(id), "user"), ignoreBroken)),
    )
    own.push(...some.filter((_, n) => users[n] === user))
  }
  return own
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
