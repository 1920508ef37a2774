import { createHash } from "node:crypto"
import type { Cluster, Redis } from "ioredis"
import type { z } from "zod"
import { NEVER_WRITTEN } from "./keys.ts"

export type RedisClient = Redis | Cluster

/** Time for a script: absent means Redis's own clock. */
type Now = (() => number) | undefined

/** The Redis a script runs in, and the clock it uses. */
export interface Store {
  redis: RedisClient
  now: Now
}

/** The words of a text. */
type Words<Text extends string> = Text extends `${infer First} ${infer Rest}`
  ? First | Words<Rest>
  : Exclude<Text, "">

type Values = readonly (string | number)[]

/**
 * A Lua script with a typed reply. It knows its keys and arguments by the names it gives, in one text
 * each; `rest` is where further arguments begin in ARGV, `further` where further keys begin in KEYS, and
 * `now` is the time in ms: Redis's own clock (the rule in production: clocks of several hosts disagree,
 * Redis has one), or simulated time in tests.
 * Every script is idempotent by an id, token or lease it is given, because ioredis sends a script again
 * whose reply was lost.
 */
export function script<Reply extends z.ZodType, Keys extends string, Args extends string>(
  reply: Reply,
  keyNames: Keys,
  argNames: Args,
  lua: string,
) {
  const [keyList, argList] = [wordsOf(keyNames), wordsOf(argNames)]
  const source = `${prelude(keyList, argList)}${lua}`
  const alone = hashed(source)
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

/** Runs a script by its hash, or whole where the server does not know it. */
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

function wordsOf<Text extends string>(text: Text): Words<Text>[] {
  return text.split(" ").filter(Boolean) as Words<Text>[]
}

function prelude(keys: readonly string[], args: readonly string[]): string {
  const first = args.length + 2
  return `
local now, rest, further = tonumber(ARGV[1]), ${first}, ${keys.length + 1}
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

/** Redis's answer where a key or a field holds something else than a command is for. */
const OF_ANOTHER_KIND =
  /^(?:WRONGTYPE|ERR (?:hash )?value is not (?:an integer|a valid float|a float))/

/** Names the keys: Redis does not say which one holds the wrong type, but the operator has to know. */
function named(error: unknown, keys: readonly string[]): unknown {
  const [answer] = (error instanceof Error && OF_ANOTHER_KIND.exec(error.message)) || []
  if (!answer) return error
  const says = `${answer}: one of ${keys.join(", ")} holds something that the bot didn't write. Find it with TYPE and HGETALL in Redis, then delete it.`
  return new Error(says, { cause: error })
}
