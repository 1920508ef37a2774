import { keys } from "../../../../src/redis/keys.ts"
import type { RedisClient } from "../../../../src/redis/script.ts"
import type { Json } from "../../slack/json.ts"
import type { StoredKey } from "../wire.ts"

/** What each kind of key is for, by the part of its name after the tag. */
const MEANINGS: readonly [RegExp, string][] = [
  [/^job:/, "The request itself: state, place, card"],
  [/^prompt:/, "Its words, kept apart because they are large"],
  [/^reply:/, "Where the command can be answered, for half an hour"],
  [/^seen:/, "One Slack delivery: a repeat of it starts nothing"],
  [/^same:/, "The same words again within 15 minutes are asked about first"],
  [/^user:/, "This person's requests, by when they asked"],
  [/^thread:/, "The latest request of a thread: a mention there is a follow-up"],
  [/^carding$/, "Requests without a card, in fair order"],
  [/^outbox$/, "Requests with something to say in Slack, by when"],
  [/^due$/, "Requests that run at the service, by their next poll"],
  [/^p:.*:wait$/, "The queue, in fair order"],
  [/^p:.*:log$/, "Slots of the rolling hour, by when each creation arrived"],
  [/^p:.*:creating$/, "Creations under way, by their deadline"],
  [/^waiting:/, "This person's waiting requests"],
  [/^grant:/, "The slot this creation was granted"],
]

/** Every key of Redis that mentions a request in its name or in its value. */
export async function storedKeys(redis: RedisClient, job: string): Promise<StoredKey[]> {
  const prefix = keys.job("").replace(/job:$/, "")
  const names = (await redis.keys(`${prefix}*`)).toSorted()
  const read = await Promise.all(names.map((name) => readKey(redis, name, prefix.length)))
  return read
    .filter((one) => one !== undefined)
    .filter(({ key, value }) => `${key} ${JSON.stringify(value)}`.includes(job))
    .toSorted((a, b) => rank(a.meaning) - rank(b.meaning))
}

function rank(meaning: string): number {
  const index = MEANINGS.findIndex(([, words]) => words === meaning)
  return index < 0 ? MEANINGS.length : index
}

async function readKey(
  redis: RedisClient,
  name: string,
  prefix: number,
): Promise<StoredKey | undefined> {
  const [type, ttl] = await Promise.all([redis.type(name), redis.pttl(name)])
  const value = await readValue(redis, name, type)
  if (value === undefined) return undefined
  const key = name.slice(prefix)
  const meaning = MEANINGS.find(([shape]) => shape.test(key))?.[1] ?? ""
  return { key: name, meaning, type, value, ...(ttl >= 0 ? { ttlMs: ttl } : {}) }
}

async function readValue(
  redis: RedisClient,
  name: string,
  type: string,
): Promise<Json | undefined> {
  if (type === "hash") return await redis.hgetall(name)
  if (type === "string") return await redis.get(name)
  if (type === "set") return await redis.smembers(name)
  if (type === "zset") return await redis.zrange(name, "0", "-1", "WITHSCORES")
  if (type === "list") return await redis.lrange(name, 0, -1)
  return undefined
}
