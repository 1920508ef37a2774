import { z } from "zod"
import { script } from "../script.ts"
import { WRONG_TYPE } from "./tolerant.ts"

/** Writes a subscription; one for the same channel and rhythm is replaced, whoever holds it. */
export const saveDigest = script(
  z.number(),
  "key due",
  "id record dueAt",
  `
redis.call('DEL', key)
redis.call('HSET', key, 'record', record)
return redis.call('ZADD', due, dueAt, id)
`,
)

/** Gives the record and forgets it. */
export const removeDigest = script(
  z.union([z.tuple([z.string()]), z.tuple([])]),
  "key due",
  "id",
  `
local record = redis.pcall('HGET', key, 'record')
redis.call('DEL', key)
redis.call('ZREM', due, id)
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
  "due",
  "lease leaseMs prefix",
  `${WRONG_TYPE}
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
  "key",
  "lease",
  `
if redis.call('HGET', key, 'lease') ~= lease then return 0 end
redis.call('HSET', key, 'posting', '1')
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
  "key due",
  "id lease record next unsure",
  `
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
  "key due",
  "id lease",
  `
if redis.call('HGET', key, 'lease') ~= lease then return 0 end
redis.call('DEL', key)
redis.call('ZREM', due, id)
return 1
`,
)
