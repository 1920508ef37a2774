import { z } from "zod"
import { script } from "../script.ts"
import { WRONG_TYPE } from "./tolerant.ts"

/** Writes a subscription; one for the same channel and rhythm is replaced, whoever holds it. */
export const saveDigest = script(
  z.number(),
  `
local key, due = unpack(KEYS)
local _, id, record, dueAt = unpack(ARGV)
redis.call('DEL', key)
redis.call('HSET', key, 'record', record)
return redis.call('ZADD', due, dueAt, id)
`,
)

/** Gives the record and forgets it. */
export const removeDigest = script(
  z.union([z.tuple([z.string()]), z.tuple([])]),
  `
local key, due = unpack(KEYS)
local record = redis.pcall('HGET', key, 'record')
redis.call('DEL', key)
redis.call('ZREM', due, ARGV[2])
if type(record) == 'string' then return {record} end
return {}
`,
)

/**
 * Leases the digest that has been due longest: its id, its record, whether a post of it was begun,
 * which try this is, and the moment. One post at a time follows from the lease, one post at all from \`posting\`.
 */
export const claimDigest = script(
  z.union([z.tuple([z.string(), z.string(), z.number(), z.number(), z.number()]), z.tuple([])]),
  `${WRONG_TYPE}
local due = KEYS[1]
local _, lease, leaseMs, prefix = unpack(ARGV)
for _, id in ipairs(redis.call('ZRANGEBYSCORE', due, '-inf', now, 'LIMIT', 0, 20)) do
  local key = prefix .. id
  local record = redis.pcall('HGET', key, 'record')
  redis.call('ZADD', due, now + tonumber(leaseMs), id)
  -- No hash at all: told of like a record that cannot be read.
  if wrongType(record) then return {id, '', 0, 1, now} end
  if record then
    redis.call('HSET', key, 'lease', lease)
    local tries = redis.pcall('HINCRBY', key, 'tries', 1)
    if type(tries) == 'table' then
      redis.call('HSET', key, 'tries', 1)
      tries = 1
    end
    return {id, record, redis.call('HEXISTS', key, 'posting'), tries, now}
  end
  redis.call('ZREM', due, id)
end
return {}
`,
)

/** A post begins. 0 when the lease is lost: somebody unsubscribed, or another process has it. */
export const beginPost = script(
  z.number(),
  `
if redis.call('HGET', KEYS[1], 'lease') ~= ARGV[2] then return 0 end
redis.call('HSET', KEYS[1], 'posting', '1')
return 1
`,
)

/**
 * Lets go: with a new record and its moment when this digest is dealt with, else to try it again after
 * so many ms.
 * \`unsure\` keeps the mark that a post was begun.
 */
export const settleDigest = script(
  z.number(),
  `
local key, due = unpack(KEYS)
local _, id, lease, record, next, unsure = unpack(ARGV)
if redis.call('HGET', key, 'lease') ~= lease then return 0 end
redis.call('HDEL', key, 'lease')
if unsure == '' then redis.call('HDEL', key, 'posting') end
if record == '' then
  redis.call('ZADD', due, now + tonumber(next), id)
else
  redis.call('HSET', key, 'record', record)
  redis.call('HDEL', key, 'tries')
  redis.call('ZADD', due, next, id)
end
return 1
`,
)

/** Ends a subscription that this lease still holds. */
export const endDigest = script(
  z.number(),
  `
local key, due = unpack(KEYS)
if redis.call('HGET', key, 'lease') ~= ARGV[3] then return 0 end
redis.call('DEL', key)
redis.call('ZREM', due, ARGV[2])
return 1
`,
)
