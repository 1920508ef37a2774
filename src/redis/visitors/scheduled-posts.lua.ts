import { z } from "zod"
import { WRONG_TYPE } from "../safe-reads.lua.ts"
import { script } from "../script.ts"

/**
 * What a channel gets by a schedule, digests and alerts alike: a hash of its own and a place in a
 * sorted set of due moments. One post at a time follows from the lease, one post at all from `posting`.
 */

/**
 * Leases the hash that has been due longest: its id, record and state (empty where it has none),
 * whether a post was begun, which try this is, and the moment.
 */
export const claimPost = script(
  z.union([
    z.tuple([z.string(), z.string(), z.string(), z.number(), z.number(), z.number()]),
    z.tuple([]),
  ]),
  "due",
  "lease leaseMs prefix",
  `${WRONG_TYPE}
for _, id in ipairs(redis.call('ZRANGEBYSCORE', due, '-inf', now, 'LIMIT', 0, 20)) do
  local key = prefix .. id
  local record = redis.pcall('HGET', key, 'record')
  redis.call('ZADD', due, now + tonumber(leaseMs), id)
  -- No hash at all: told of like a record that cannot be read.
  if wrongType(record) then return {id, '', '', 0, 1, now} end
  if record then
    redis.call('HSET', key, 'lease', lease)
    local tries = redis.pcall('HINCRBY', key, 'tries', 1)
    if type(tries) == 'table' then
      redis.call('HSET', key, 'tries', 1)
      tries = 1
    end
    local state = redis.call('HGET', key, 'state') or ''
    return {id, record, state, redis.call('HEXISTS', key, 'posting'), tries, now}
  end
  redis.call('ZREM', due, id)
end
return {}
`,
)

/** A post begins. 0 when the lease is lost: somebody turned it off, or another process has it. */
export const beginPost = script(
  z.number(),
  "key",
  "lease",
  `
if redis.call('HGET', key, 'lease') ~= lease then return 0 end
redis.call('HSET', key, 'posting', '1')
return 1
`,
)

/**
 * Lets go: with a new value of `field` (the record, or the state) and the next moment when this post
 * is dealt with, else to try it again after so many ms. `unsure` keeps the mark that a post was begun.
 */
export const settlePost = script(
  z.number(),
  "key due",
  "id lease field value next unsure",
  `
if redis.call('HGET', key, 'lease') ~= lease then return 0 end
redis.call('HDEL', key, 'lease')
if unsure == '' then redis.call('HDEL', key, 'posting') end
if value == '' then
  redis.call('ZADD', due, now + tonumber(next), id)
else
  redis.call('HSET', key, field, value)
  redis.call('HDEL', key, 'tries')
  redis.call('ZADD', due, next, id)
end
return 1
`,
)

/** Ends a schedule that this lease still holds. */
export const endPosts = script(
  z.number(),
  "key due",
  "id lease",
  `
if redis.call('HGET', key, 'lease') ~= lease then return 0 end
redis.call('DEL', key)
redis.call('ZREM', due, id)
return 1
`,
)
