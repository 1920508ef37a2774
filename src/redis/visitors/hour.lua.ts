import { z } from "zod"
import { script } from "../script.ts"

/**
 * Takes a slot in the rolling hour, once however often the call is sent again. The number is the moment
 * it is stamped with, or how long to wait, ms; `share`: there is room, and not for this reader.
 */
export const takeSlot = script(
  z.tuple([z.enum(["go", "wait", "share"]), z.number()]),
  "hour own askers pause",
  "user slot perHour half windowMs holdMs",
  `
windowMs = tonumber(windowMs)
for _, set in ipairs({hour, own, askers}) do
  redis.call('ZREMRANGEBYSCORE', set, '-inf', now - windowMs)
end
local taken = redis.call('ZSCORE', hour, slot)
if taken then return {'go', math.floor(tonumber(taken))} end

-- How long until fewer than so many of them are left, ms.
local function untilFewer(set, limit)
  local used = redis.call('ZCARD', set)
  if used < limit then return 0 end
  local entry = redis.call('ZRANGE', set, used - limit, used - limit, 'WITHSCORES')
  return math.floor(tonumber(entry[2])) + windowMs + 1 - now
end
local wait = math.max(untilFewer(hour, tonumber(perHour)), (tonumber(redis.call('GET', pause)) or 0) - now)
if user ~= '' then
  redis.call('ZADD', askers, now, user)
  redis.call('PEXPIRE', askers, windowMs)
  local share = redis.call('ZCARD', askers) > 1 and untilFewer(own, tonumber(half)) or 0
  if share > 0 then return {'share', math.max(wait, share)} end
end
if wait > 0 then return {'wait', wait} end
local latest = now + tonumber(holdMs)
for _, set in ipairs({hour, user ~= '' and own or nil}) do
  redis.call('ZADD', set, latest, slot)
  redis.call('PEXPIRE', set, windowMs + tonumber(holdMs) + 1)
end
return {'go', latest}
`,
)

/** The request reached the service by now: never later than it was stamped at first. */
export const settleSlot = script(
  z.number(),
  "hour own",
  "slot",
  `
for _, set in ipairs({hour, own}) do redis.call('ZADD', set, 'XX', 'LT', now, slot) end
return now
`,
)

/** Nobody asks before this moment; a longer pause stays. */
export const pauseHour = script(
  z.number(),
  "pause",
  "ms",
  `
local opens = now + tonumber(ms)
if (tonumber(redis.call('GET', pause)) or 0) < opens then redis.call('SET', pause, opens, 'PX', ms) end
return 1
`,
)
