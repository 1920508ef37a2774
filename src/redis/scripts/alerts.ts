import { z } from "zod"
import { script } from "../script.ts"
import { WRONG_TYPE } from "./tolerant.ts"

/**
 * Puts other watches in the place of those that were read; what the passes wrote down stays. 0 when
 * somebody else changed them meanwhile. Without any watch nothing is left.
 */
export const changeAlerts = script(
  z.number(),
  "key due",
  "id before record dueAt",
  `${WRONG_TYPE}
local known = redis.pcall('HGET', key, 'record')
if wrongType(known) then
  redis.call('DEL', key)
  known = false
end
-- Sent again after a lost reply: it is done.
if known == record or (record == '' and not known) then return 1 end
if (known or '') ~= before then return 0 end
if record == '' then
  redis.call('DEL', key)
  redis.call('ZREM', due, id)
else
  redis.call('HSET', key, 'record', record)
  redis.call('ZADD', due, 'NX', dueAt, id)
end
return 1
`,
)

/** Watches and state of one channel, as the two texts they are kept as. */
export const readAlerts = script(
  z.tuple([z.string(), z.string()]),
  "key",
  "",
  `${WRONG_TYPE}
local record = redis.pcall('HGET', key, 'record')
if wrongType(record) or not record then return {'', ''} end
return {record, redis.call('HGET', key, 'state') or ''}
`,
)

/**
 * Leases the channel that has been due longest: its id, watches and state, whether a post was begun,
 * which try this is, and the moment.
 */
export const claimAlerts = script(
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

/**
 * Lets go: with a new state and the next moment when the days are dealt with, else to look again after
 * so many ms. \`unsure\` keeps the mark that a post was begun.
 */
export const settleAlerts = script(
  z.number(),
  "key due",
  "id lease state next unsure",
  `
if redis.call('HGET', key, 'lease') ~= lease then return 0 end
redis.call('HDEL', key, 'lease')
if unsure == '' then redis.call('HDEL', key, 'posting') end
if state == '' then
  redis.call('ZADD', due, now + tonumber(next), id)
else
  redis.call('HSET', key, 'state', state)
  redis.call('HDEL', key, 'tries')
  redis.call('ZADD', due, next, id)
end
return 1
`,
)
