import type { Redis } from "ioredis"
import type { RedisClient } from "../../src/store/script.ts"

/** Returns all names and values in Redis as one text. */
export async function dumpRedis(redis: RedisClient): Promise<string> {
  const names = await redis.keys("*")
  const held = await Promise.all(names.map((name) => readValue(redis, name)))
  return names.map((name, i) => `${name} = ${JSON.stringify(held[i])}`).join("\n")
}

/** Value of one key: what it is, and the arguments of the command that writes it again. */
type Held = readonly [type: keyof typeof WRITES, parts: readonly string[]] | undefined

const WRITES = { string: "SET", hash: "HSET", set: "SADD", zset: "ZADD", list: "RPUSH" } as const

async function readValue(redis: RedisClient, name: string): Promise<Held> {
  switch (await redis.type(name)) {
    case "string":
      return ["string", [(await redis.get(name)) ?? ""]]
    case "hash":
      return ["hash", Object.entries(await redis.hgetall(name)).flat()]
    case "set":
      return ["set", await redis.smembers(name)]
    case "zset":
      return ["zset", (await redis.zrange(name, "0", "-1", "WITHSCORES")).toReversed()]
    case "list":
      return ["list", await redis.lrange(name, 0, -1)]
    default:
      return undefined
  }
}

/** Records what Redis holds, by commands that the one in the process has, too. @returns how to restore it */
export async function snapshot(client: Redis): Promise<() => Promise<void>> {
  const names = await client.keys("*")
  const held = await Promise.all(
    names.map(async (name) => ({
      name,
      value: await readValue(client, name),
      ttl: await client.pttl(name),
    })),
  )
  return async () => {
    await client.flushdb()
    for (const { name, value, ttl } of held) {
      // A key may have expired since it was listed. The TTL of a key without an expiry is -1.
      if (!value || value[1].length === 0 || (ttl <= 0 && ttl !== -1)) continue
      await client.call(WRITES[value[0]], name, ...value[1])
      if (ttl > 0) await client.pexpire(name, ttl)
    }
  }
}
