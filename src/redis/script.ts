import { createHash } from "node:crypto"
import type { Cluster, Redis } from "ioredis"
import { z } from "zod"
import { NEVER_WRITTEN, WAKE_CHANNEL } from "./keys.ts"

export type RedisClient = Redis | Cluster

/** Time for a script: absent means Redis' own clock. */
export type Now = (() => number) | undefined

/** Which Redis a script runs in, and which clock it uses. */
export interface Store {
  redis: RedisClient
  now: Now
}

/** The words of a text. */
type Words<Text extends string> = Text extends `${infer First} ${infer Rest}`
  ? First | Words<Rest>
  : Exclude<Text, "">

interface ScriptOptions {
  /** It tells sleeping workers itself what it made due; see `waking`. */
  wakesItself?: boolean
}

type Values = readonly (string | number)[]

/**
 * What a script is given behind what it names. One that names no key is given others: of a script without
 * any a cluster cannot know that it belongs to the keys that are on the move, and runs it where they are not.
 */
type Further<Keys extends string> = Keys extends ""
  ? [rest: Values, keys: readonly [string, ...string[]]]
  : [rest?: Values, keys?: readonly string[]]

/**
 * A Lua script with a typed reply. It knows its keys and arguments by the names it gives, in one text
 * each; `rest` is where further arguments begin in ARGV, `further` where further keys begin in KEYS, and
 * `now` is the time in ms: Redis' own clock (the rule in production: clocks of several hosts disagree,
 * Redis has one), or simulated time in tests.
 * Every script is idempotent by an id, token or lease it is given, because ioredis sends a script again
 * whose reply was lost. Not ioredis' `defineCommand`, which knows no names and no reply.
 */
export function script<Reply extends z.ZodType, Keys extends string, Args extends string>(
  reply: Reply,
  keyNames: Keys,
  argNames: Args,
  lua: string,
  { wakesItself = false }: ScriptOptions = {},
) {
  const [keyList, argList] = [wordsOf(keyNames), wordsOf(argNames)]
  const body = wakesItself ? lua : waking(keyList, lua)
  const source = `${prelude(keyList, argList)}${body}`
  const alone = hashed(source)
  const inCluster = hashed(`KEYS[#KEYS] = nil\n${source}`)
  /** Through which it went whole: only a server that lost it since has to be sent it again. */
  const sentBy = new WeakSet<RedisClient>()
  return async (
    { redis, now }: Store,
    from: Readonly<Record<Words<Keys>, string>>,
    values: Readonly<Record<Words<Args>, string | number>>,
    ...[rest = [], furtherKeys = []]: Further<Keys>
  ): Promise<z.output<Reply>> => {
    if ("stream" in redis) sendTogether(redis)
    const { source, sha } = "stream" in redis ? alone : inCluster
    const keys = [...keyList.map((name) => from[name]), ...furtherKeys]
    if (!("stream" in redis)) keys.push(NEVER_WRITTEN)
    const args = [now ? String(now()) : "", ...argList.map((name) => values[name]), ...rest]
    const isNew = !sentBy.has(redis)
    sentBy.add(redis)
    try {
      return reply.parse(await run(redis, { source, sha, isNew }, keys, args))
    } catch (error) {
      throw named(error, keys)
    }
  }
}

/** Whole where this server may not know it yet, which is one round trip instead of two; else by its hash. */
async function run(
  redis: RedisClient,
  { source, sha, isNew }: ReturnType<typeof hashed> & { isNew: boolean },
  keys: readonly string[],
  args: readonly (string | number)[],
): Promise<unknown> {
  if (isNew) return redis.eval(source, keys.length, ...keys, ...args)
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

/** Sorted sets of moments that workers sleep until, by the names that scripts give them. */
const SCHEDULES = ["outbox", "due", "pulls", "previews", "sessions"]

/**
 * Tells sleeping workers when a script has changed the first moment of a schedule. If the connection's
 * user may not publish, they notice later, by checking themselves.
 */
function waking(keys: readonly string[], lua: string): string {
  const schedules = keys.filter((name) => SCHEDULES.includes(name))
  if (schedules.length === 0) return lua
  // The script's own names come first, as nothing below may be hidden by them.
  return `
local function run()
${lua}
end
local schedules = {${schedules.join(", ")}}
local function first(schedule)
  return tonumber(redis.pcall('ZRANGE', schedule, 0, 0, 'WITHSCORES')[2])
end
local before = {}
for i, schedule in ipairs(schedules) do before[i] = first(schedule) or -1 end
local reply = run()
for i, schedule in ipairs(schedules) do
  local at = first(schedule)
  if at and at ~= before[i] then
    local inMs = string.format('%.0f', math.ceil(math.max(0, at - now)))
    redis.pcall('PUBLISH', '${WAKE_CHANNEL}', schedule .. ' ' .. inMs)
  end
end
return reply
`
}

function hashed(source: string): { source: string; sha: string } {
  return { source, sha: createHash("sha1").update(source).digest("hex") }
}

/** What Redis answers where a key or a field holds something else than a command is for. */
const OF_ANOTHER_KIND =
  /^(?:WRONGTYPE|ERR (?:hash )?value is not (?:an integer|a valid float|a float))/

/** Redis does not say which key holds the wrong type, but the operator has to know. */
function named(error: unknown, keys: readonly string[]): unknown {
  const [answer] = (error instanceof Error && OF_ANOTHER_KIND.exec(error.message)) || []
  if (!answer) return error
  const says = `${answer}: one of ${keys.join(", ")} does not hold what the bot writes there. Find out which with Redis' TYPE and HGETALL, and delete it.`
  return new Error(says, { cause: error })
}

/** A reply, or a part of one, that the script encodes by cjson: much of it is read faster as one text. */
export function json<Shape extends z.ZodType>(shape: Shape) {
  return z
    .string()
    .transform((text): unknown => JSON.parse(text))
    .pipe(shape)
}

/** Half of what Redis reads at a time, bytes: it works on one half while we write the other. */
const TOGETHER_BYTES = 8192

/**
 * What one turn of the event loop sends to Redis leaves together. When many people ask at once that
 * saves both ends a fifth of their CPU; nothing waits longer than the turn takes, and no more than
 * `TOGETHER_BYTES` wait at all, as Redis would have nothing to do until the turn is over.
 */
function sendTogether({ stream }: Redis): void {
  if (!stream) return
  if (stream.writableLength >= TOGETHER_BYTES) stream.uncork()
  if (stream.writableCorked > 0) return
  stream.cork()
  setImmediate(() => stream.uncork())
}
