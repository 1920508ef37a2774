import { createHash } from "node:crypto"
import type { Cluster, Redis } from "ioredis"
import { z } from "zod"
import { NEVER_WRITTEN } from "./redis-keys.ts"

export type RedisClient = Redis | Cluster

export interface Store {
  redis: RedisClient
  /** Clock for scripts, in ms; absent means Redis's own. */
  now?: (() => number) | undefined
}

/** Splits a text into the union of its words. */
type Words<Text extends string> = Text extends `${infer First} ${infer Rest}`
  ? First | Words<Rest>
  : Exclude<Text, "">

type Values = readonly (string | number)[]

/**
 * Makes a Lua script with a typed reply. Two texts name its keys and its arguments. In the script,
 * `rest` is the index in ARGV at which further arguments begin, and `now` the time in ms: by
 * Redis's clock in production, because the clocks of several hosts disagree, or simulated in tests.
 * An id, token or lease makes a script idempotent where it matters, because ioredis resends one
 * whose reply was lost.
 */
export function script<Reply extends z.ZodType, Keys extends string, Args extends string>(
  reply: Reply,
  keyNames: Keys,
  argNames: Args,
  lua: string,
) {
  const [keyList, argList] = [namesIn(keyNames), namesIn(argNames)]
  const source = `${prelude(keyList, argList)}${lua}`
  const alone = hashed(source)
  // A cluster gets one more key, which is for its own check of keys that move, not for the script.
  const inCluster = hashed(`KEYS[#KEYS] = nil\n${source}`)
  return async (
    { redis, now }: Store,
    from: Readonly<Record<Words<Keys>, string>>,
    values: Readonly<Record<Words<Args>, string | number>>,
    rest: Values = [],
    furtherKeys: readonly string[] = [],
  ): Promise<z.output<Reply>> => {
    const isAlone = "stream" in redis
    const keys = [...keyList.map((name) => from[name]), ...furtherKeys]
    if (!isAlone) keys.push(NEVER_WRITTEN)
    const args = [now ? String(now()) : "", ...argList.map((name) => values[name]), ...rest]
    try {
      return reply.parse(await run(redis, isAlone ? alone : inCluster, keys, args))
    } catch (error) {
      throw named(error, keys)
    }
  }
}

async function run(
  redis: RedisClient,
  { source, sha }: ReturnType<typeof hashed>,
  keys: readonly string[],
  args: Values,
): Promise<unknown> {
  try {
    return await redis.evalsha(sha, keys.length, ...keys, ...args)
  } catch (error) {
    if (!(error instanceof Error && error.message.startsWith("NOSCRIPT"))) throw error
    return redis.eval(source, keys.length, ...keys, ...args)
  }
}

function namesIn<Text extends string>(text: Text): Words<Text>[] {
  return text.split(" ").filter(Boolean) as Words<Text>[]
}

function prelude(keys: readonly string[], args: readonly string[]): string {
  const first = args.length + 2
  return `
local now, rest = tonumber(ARGV[1]), ${first}
if not now then
  local time = redis.call('TIME')
  now = time[1] * 1000 + math.floor(time[2] / 1000)
end
${keys.length > 0 ? `local ${keys.join(", ")} = unpack(KEYS, 1, ${keys.length})` : ""}
${args.length > 0 ? `local ${args.join(", ")} = unpack(ARGV, 2, ${first - 1})` : ""}
`
}

function hashed(source: string): { source: string; sha: string } {
  return { source, sha: createHash("sha1").update(source).digest("hex") }
}

const OF_ANOTHER_KIND =
  /(?<=^|-|: )(?:WRONGTYPE|ERR (?:hash )?value is not (?:an integer|a valid float|a float))/

/** Adds the keys to an error about a wrong type, because Redis does not say which one it means. */
function named(error: unknown, keys: readonly string[]): unknown {
  const [answer] = (error instanceof Error && OF_ANOTHER_KIND.exec(error.message)) || []
  if (!answer) return error
  const says = `${answer}: one of ${keys.join(", ")} holds something that the bot didn't write. Find it with TYPE and HGETALL in Redis, then delete it.`
  return new Error(says, { cause: error })
}

const timeScript = script(z.number(), "", "", "return now")

/** Returns the time in ms by Redis's clock, in a cluster that of the node with the bot's keys. */
export function currentTime(store: Store): Promise<number> {
  return timeScript(store, {}, {})
}
