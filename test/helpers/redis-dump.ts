import type { RedisClient } from "../../src/store/script.ts"

/** Returns all names and values in Redis as one text. */
export async function dumpRedis(redis: RedisClient): Promise<string> {
  const names = await redis.keys("*")
  const values = await Promise.all(names.map((name) => readValue(redis, name)))
  return names.map((name, i) => `${name} = ${JSON.stringify(values[i])}`).join("\n")
}

async function readValue(redis: RedisClient, name: string): Promise<unknown> {
  switch (await redis.type(name)) {
    case "string":
      return redis.get(name)
    case "hash":
      return redis.hgetall(name)
    case "set":
      return redis.smembers(name)
    case "zset":
      return redis.zrange(name, "0", "-1", "WITHSCORES")
    case "list":
      return redis.lrange(name, 0, -1)
    case "stream":
      return redis.xrange(name, "-", "+")
    default:
      return undefined
  }
}
