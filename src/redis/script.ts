import { createHash } from "node:crypto"
import type { Cluster, Redis } from "ioredis"
import type { z } from "zod"

export type RedisClient = Redis | Cluster

/** `ARGV[1]` of every script is the time in ms, or "" for Redis' own clock (the rule in production:
 * clocks of several hosts disagree, Redis has one). Tests pass simulated time. */
const PRELUDE = `
local now = tonumber(ARGV[1])
if not now then
  local time = redis.call('TIME')
  now = time[1] * 1000 + math.floor(time[2] / 1000)
end
`

/** A Lua script with a typed reply. Every script is idempotent by an id, token or lease it is given,
 * because ioredis sends a script again whose reply was lost. */
export function script<Reply extends z.ZodType>(reply: Reply, lua: string) {
  const source = PRELUDE + lua
  const sha = createHash("sha1").update(source).digest("hex")
  return async (
    redis: RedisClient,
    keys: readonly string[],
    args: readonly (string | number)[],
  ): Promise<z.output<Reply>> => {
    if ("stream" in redis) sendTogether(redis)
    try {
      return reply.parse(await redis.evalsha(sha, keys.length, ...keys, ...args))
    } catch (error) {
      if (!(error instanceof Error && error.message.startsWith("NOSCRIPT"))) throw error
      return reply.parse(await redis.eval(source, keys.length, ...keys, ...args))
    }
  }
}

/**
 * What one turn of the event loop sends to Redis leaves in one system call. When many people ask at
 * once that saves both ends a fifth of their CPU; nothing waits longer than the turn takes.
 */
function sendTogether({ stream }: Redis): void {
  if (!stream || stream.writableCorked > 0) return
  stream.cork()
  setImmediate(() => stream.uncork())
}

/** Time for a script: absent means Redis' own clock. */
export type Now = (() => number) | undefined

export const nowArgument = (now: Now): string => (now ? String(now()) : "")
