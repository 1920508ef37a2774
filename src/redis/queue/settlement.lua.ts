import { z } from "zod"
import { DELIVER_NOW } from "../outbox/store.lua.ts"
import { FIELDS, TEXT } from "../safe-reads.lua.ts"
import { script } from "../script.ts"
import { FAIR_TAG } from "./fair-order.lua.ts"
import { PAUSES } from "./pause.lua.ts"

/** Creations that no process can have in hand any more. */
export const overdue = script(
  z.array(z.string()),
  "creating",
  "",
  "return redis.call('ZRANGEBYSCORE', creating, '-inf', now)",
)

/**
 * `isOurs`: may this token still settle the creation? The token leaves the record when the creation
 * is settled. A record without a state is gone or was replaced: only the caller knows what came of
 * the creation. `giveBack` returns the slot of a creation that had no effect; 1 where it was still
 * counted.
 */
const GIVE_BACK = `
local function isOurs(was, token) return not was[1] or was[2] == token end
local function giveBack(creating, log, id, user)
  redis.call('ZREM', creating, id)
  if user ~= '' then return redis.call('ZREM', log, id .. ' ' .. user) end
  -- Whose it was stands in the log alone.
  for _, member in ipairs(redis.call('ZRANGE', log, 0, -1)) do
    if string.sub(member, 1, #id + 1) == id .. ' ' then return redis.call('ZREM', log, member) end
  end
  return 0
end
`

/** The service accepted: the slot moves to the moment of the answer and the job is followed. */
export const created = script(
  z.number(),
  "job creating log due outbox pause refused",
  "id token user agent pollMs prLink turned key",
  `${FIELDS}${TEXT}
local was = fields(job, 'state', 'token')
if was[1] ~= 'creating' or was[2] ~= token then return 0 end
redis.call('ZREM', creating, id)
redis.call('ZADD', log, 'XX', now, id .. ' ' .. user)
redis.call('DEL', pause)
if text(refused) == key then redis.call('DEL', refused) end
redis.call('HSET', job, 'state', 'active', 'agent', agent, 'started', now)
if prLink ~= '' then redis.call('HSET', job, 'pr', prLink) end
if turned ~= '' then redis.call('HSET', job, 'turned', turned) end
redis.call('HDEL', job, 'token')
redis.pcall('HINCRBY', job, 'rev', 1)
redis.call('ZADD', due, now + tonumber(pollMs), id)
redis.call('ZADD', outbox, 'NX', now, id)
return 1
`,
)

/** One whose requester asked to be forgotten meanwhile has no words left to wait with. */
const END_FORGOTTEN = `${DELIVER_NOW}
local function endForgotten(job, outbox, id, keepMs)
  if not fields(job, 'forgotten')[1] then return false end
  redis.call('HSET', job, 'state', 'ended', 'ending', 'cancelled', 'ended', now)
  redis.call('HDEL', job, 'token')
  redis.pcall('HINCRBY', job, 'rev', 1)
  redis.call('PEXPIRE', job, keepMs)
  deliverNow(outbox, id)
  return true
end
`

/**
 * The creation certainly had no effect: the slot is given back and the job waits again, in front
 * (its tag is the lowest). Where its record is none any more, only the slot is given back. With a reason
 * the project pauses; where the key was refused, without an end.
 */
export const putBack = script(
  z.number(),
  "job creating log wait waiting outbox pause refused",
  "id token user reason pauseMs firstMs longestMs key keepMs",
  `${PAUSES}${GIVE_BACK}${END_FORGOTTEN}
local was = fields(job, 'state', 'token', 'tag')
if not isOurs(was, token) then return 0 end
local counted = giveBack(creating, log, id, user)
if was[1] ~= 'creating' then
  if counted == 0 then return 0 end
elseif not endForgotten(job, outbox, id, keepMs) then
  redis.call('ZADD', wait, tonumber(was[3]) or 0, id)
  redis.call('ZADD', waiting, tonumber(was[3]) or 0, id)
  redis.call('HSET', job, 'state', 'queued')
  redis.call('HDEL', job, 'token')
  redis.pcall('HINCRBY', job, 'rev', 1)
  redis.call('ZADD', outbox, 'NX', now, id)
end
if pauseMs == 'key' then refuse(pause, refused, reason, key)
elseif reason ~= '' then rest(pause, reason, key, firstMs, longestMs, tonumber(pauseMs)) end
return 1
`,
)

/**
 * The message could not be sent to the job that it was for, and had no effect: it waits for a job of its
 * own, as if it was asked just now. Its place in the hour of messages is given back.
 */
export const becomeCreation = script(
  z.number(),
  "job creating log newWait newWaiting newLast newBusy outbox",
  "id token user project keepMs",
  `${FIELDS}${FAIR_TAG}${GIVE_BACK}${END_FORGOTTEN}
local was = fields(job, 'state', 'token')
if not isOurs(was, token) then return 0 end
giveBack(creating, log, id, user)
if was[1] ~= 'creating' then return 0 end
if endForgotten(job, outbox, id, keepMs) then return 1 end
local tag = fairTag(newLast, user, redis.call('ZCARD', newWaiting))
redis.call('ZADD', newWait, tag, id)
redis.call('ZADD', newWaiting, tag, id)
redis.call('SADD', newBusy, project)
redis.call('HSET', job, 'state', 'queued', 'tag', tag)
redis.call('HDEL', job, 'token', 'follows', 'pr')
redis.pcall('HINCRBY', job, 'rev', 1)
redis.call('ZADD', outbox, 'NX', now, id)
return 1
`,
)

/**
 * Ends a creation without a job to follow. \`refused\` and \`cancelled\` give the slot back, \`unknown\`
 * keeps it: it may have been spent. Unknown outcomes pause the project for a moment, so that an outage does not burn
 * the whole queue.
 */
export const endCreating = script(
  z.number(),
  "job creating log outbox pause prompt",
  "id token user ending detail firstMs longestMs keepMs key",
  `${PAUSES}${DELIVER_NOW}${GIVE_BACK}
local was = fields(job, 'state', 'token')
if was[1] ~= 'creating' then
  -- A record that is gone or broken must not count as in flight for ever.
  redis.call('ZREM', creating, id)
  if ending ~= 'unknown' and isOurs(was, token) then giveBack(creating, log, id, user) end
  return 0
end
if token ~= '' and was[2] ~= token then return 0 end
if token == '' then
  local deadline = redis.call('ZSCORE', creating, id)
  if deadline and tonumber(deadline) > now then return 0 end
end
redis.call('ZREM', creating, id)
if ending ~= 'unknown' then giveBack(creating, log, id, user) end
if ending == 'refused' then redis.call('DEL', pause)
elseif tonumber(firstMs) > 0 then rest(pause, 'outage', key, firstMs, longestMs) end
redis.call('HSET', job, 'state', 'ended', 'ending', ending, 'ended', now)
if detail ~= '' then redis.call('HSET', job, 'detail', detail) end
redis.call('HDEL', job, 'token')
redis.pcall('HINCRBY', job, 'rev', 1)
redis.call('PEXPIRE', job, keepMs)
redis.call('PEXPIRE', prompt, keepMs)
deliverNow(outbox, id)
return 1
`,
)
