import { z } from "zod"
import { TEXT, WRONG_TYPE } from "../safe-reads.lua.ts"
import { script } from "../script.ts"

/**
 * `mine(limit)`: the most slots for this reader, with the digests' part off while they have not used
 * it and anybody subscribed. `untilFewer(set, limit)`: how long until fewer than so many of them are left, ms.
 */
const RULES = `
windowMs = tonumber(windowMs)
redis.call('ZREMRANGEBYSCORE', hour, '-inf', now - windowMs)
for _, set in ipairs({own, kind, digests, askers}) do
  -- Only the hour itself is what the service counts: a share that cannot be read starts again.
  if wrongType(redis.pcall('ZREMRANGEBYSCORE', set, '-inf', now - windowMs)) then
    redis.call('DEL', set)
  end
end
local function mine(limit)
  if reader ~= 'digest' then
    local subscribed = redis.pcall('ZCARD', subscriptions)
    if type(subscribed) == 'number' and subscribed > 0 then
      limit = limit - math.max(0, tonumber(reserve) - redis.call('ZCARD', digests))
    end
  end
  local heavy = reader == 'person' and redis.call('ZCARD', own) >= tonumber(people)
  if reader == 'export' or heavy then limit = limit - tonumber(people) end
  return limit
end
local function othersAsk()
  local all = redis.call('ZCARD', askers)
  return all > 1 or (all == 1 and not redis.call('ZSCORE', askers, user))
end
local function untilFewer(set, limit)
  local used = redis.call('ZCARD', set)
  if used < limit then return 0 end
  if limit < 1 then return windowMs end
  local entry = redis.call('ZRANGE', set, used - limit, used - limit, 'WITHSCORES')
  return math.floor(tonumber(entry[2])) + windowMs + 1 - now
end
`

const SETS = "hour own kind digests askers subscriptions"
const SHARES = "reader user perHour half people reserve windowMs"

/**
 * Takes a slot in the rolling hour. `last` is the slot the caller took last: when Redis does not
 * know it, Redis lost data, and the caller has to write its slots back first. The same slot is
 * given once, however often the call is sent again. The number is the moment the slot is stamped
 * with, or how long to wait, ms.
 */
export const takeSlot = script(
  z.tuple([z.enum(["go", "wait", "share", "lost"]), z.number()]),
  `${SETS} pause before`,
  `${SHARES} slot holdMs last`,
  `${TEXT}
-- A version before counts for each project by its name, and both may run for a while.
local earlier = redis.pcall('ZCARD', before)
if not wrongType(earlier) and earlier > 0 then
  redis.call('ZUNIONSTORE', hour, 2, hour, before, 'AGGREGATE', 'MIN')
  redis.call('PEXPIRE', hour, 2 * tonumber(windowMs))
end
${RULES}
if last ~= '' and not redis.call('ZSCORE', hour, last) then return {'lost', 0} end
local taken = redis.call('ZSCORE', hour, slot)
if taken then return {'go', math.floor(tonumber(taken))} end

if user ~= '' then
  redis.call('ZADD', askers, now, user)
  redis.call('PEXPIRE', askers, windowMs)
end
local opens = math.min(tonumber(text(pause)) or 0, now + 86400000)
if opens > now then return {'wait', opens - now} end
local wait = untilFewer(hour, mine(tonumber(perHour)))
local share = 0
if user ~= '' and othersAsk() then
  share = untilFewer(own, tonumber(half))
  if reader == 'export' then share = math.max(share, untilFewer(kind, tonumber(half))) end
end
if share > 0 then return {'share', math.max(wait, share)} end
if wait > 0 then return {'wait', wait} end
local latest = now + tonumber(holdMs)
for _, set in ipairs({hour, kind, user ~= '' and own or nil}) do
  redis.call('ZADD', set, latest, slot)
  redis.call('PEXPIRE', set, windowMs + tonumber(holdMs) + 1)
end
return {'go', latest}
`,
)

/** The request reached the service by now. Never later than it was stamped at first. */
export const settleSlot = script(
  z.number(),
  "hour own kind",
  "slot",
  `${WRONG_TYPE}
local stamp = redis.call('ZSCORE', hour, slot)
if stamp and tonumber(stamp) > now then
  redis.call('ZADD', hour, now, slot)
  for _, set in ipairs({own, kind}) do wrongType(redis.pcall('ZADD', set, 'XX', now, slot)) end
end
return now
`,
)

/** Nobody asks before this moment; a longer pause stays. */
export const pauseHour = script(
  z.number(),
  "pause",
  "ms",
  `${TEXT}
local opens = now + tonumber(ms)
if (tonumber(text(pause)) or 0) < opens then redis.call('SET', pause, opens, 'PX', ms) end
return 1
`,
)

/** What this reader could take now, and in an hour that nobody has used. */
export const roomFor = script(
  z.tuple([z.number(), z.number()]),
  SETS,
  SHARES,
  `${WRONG_TYPE}${RULES}
local most = mine(tonumber(perHour))
local free = most - redis.call('ZCARD', hour)
if user ~= '' and othersAsk() then
  free = math.min(free, tonumber(half) - redis.call('ZCARD', own))
  if reader == 'export' then free = math.min(free, tonumber(half) - redis.call('ZCARD', kind)) end
end
return {math.max(0, free), math.max(0, most)}
`,
)
