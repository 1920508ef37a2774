import fc from "fast-check"
import type { RedisClient } from "../../src/store/script.ts"

/** What time, another version, or a hand may have done to a key. */
export type Damage =
  | { kind: "another type"; as: "string" | "hash" | "list" | "zset" }
  | { kind: "cut"; keep: number }
  | { kind: "replaced"; by: string }
  | { kind: "field gone"; field: number }
  | { kind: "field replaced"; field: number; by: string }

const VALUES = [
  "",
  "{",
  "null",
  "[]",
  "{}",
  '{"v":0}',
  '{"v":9,"value":{}}',
  '{"v":1}',
  '{"v":1,"value":null}',
  '{"v":1,"__proto__":{"words":"x"}}',
  "9",
  "-1",
  "1.5",
  "1e400",
  "many",
  "\u0000\ud800",
  "x".repeat(100_000),
]

const value = fc.oneof(fc.constantFrom(...VALUES), fc.json({ maxDepth: 2 }))
const field = fc.nat({ max: 40 })

export const damage: fc.Arbitrary<Damage> = fc.oneof(
  fc.record({
    kind: fc.constant("another type" as const),
    as: fc.constantFrom("string", "hash", "list", "zset" as const),
  }),
  fc.record({ kind: fc.constant("cut" as const), keep: fc.nat({ max: 60 }) }),
  fc.record({ kind: fc.constant("replaced" as const), by: value }),
  fc.record({ kind: fc.constant("field gone" as const), field }),
  fc.record({ kind: fc.constant("field replaced" as const), field, by: value }),
)

/** Does it to one key, of whatever type it is. What has no such part is replaced as a whole. */
export async function inflict(redis: RedisClient, key: string, what: Damage): Promise<void> {
  const type = await redis.type(key)
  if (type === "none") return
  if (what.kind === "another type") return turnInto(redis, key, what.as === type ? "list" : what.as)
  if (type === "string") {
    const text = (await redis.get(key)) ?? ""
    const by = "by" in what ? what.by : text.slice(0, "keep" in what ? what.keep : what.field)
    await redis.set(key, by, "KEEPTTL")
  } else if (type === "hash") await damageHash(redis, key, what)
  else if (type === "zset") {
    const score = what.kind === "cut" ? 0 : Date.now()
    await redis.zadd(key, score, "by" in what ? what.by.slice(0, 99) : "nobody")
  } else await turnInto(redis, key, "string")
}

async function damageHash(redis: RedisClient, key: string, what: Damage): Promise<void> {
  const names = await redis.hkeys(key)
  const at = "field" in what ? what.field : "keep" in what ? what.keep : 0
  const name = names[at % names.length] ?? ""
  if ("by" in what) await redis.hset(key, name, what.by)
  else await redis.hdel(key, name)
}

async function turnInto(redis: RedisClient, key: string, type: string): Promise<void> {
  await redis.del(key)
  if (type === "string") await redis.set(key, "in the way")
  else if (type === "hash") await redis.hset(key, "in the", "way")
  else if (type === "list") await redis.rpush(key, "in the way")
  else await redis.zadd(key, 0, "in the way")
}
