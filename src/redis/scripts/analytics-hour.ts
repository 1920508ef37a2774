import { z } from "zod"
import { script } from "../script.ts"
import { TEXT } from "./tolerant.ts"

/**
 * Takes a place in the rolling hour. `last` is the place the caller took last: when Redis does not
 * know it, Redis lost data, and the caller has to write its places back first. The same place is
 * given once, however often the call is sent again. The number is the moment the place is stamped
 * with, or how long to wait, ms.
 */
export const takePlace = script(
  z.tuple([z.enum(["go", "wait", "lost"]), z.number()]),
  "hour pause",
  "place limit windowMs holdMs last",
  `${TEXT}
limit, windowMs = tonumber(limit), tonumber(windowMs)
if last ~= '' and not redis.call('ZSCORE', hour, last) then return {'lost', 0} end
redis.call('ZREMRANGEBYSCORE', hour, '-inf', now - windowMs)
local taken = redis.call('ZSCORE', hour, place)
if taken then return {'go', math.floor(tonumber(taken))} end

local opens = math.min(tonumber(text(pause)) or 0, now + 86400000)
if opens > now then return {'wait', opens - now} end
local used = redis.call('ZCARD', hour)
if used >= limit then
  if limit < 1 then return {'wait', windowMs} end
  local entry = redis.call('ZRANGE', hour, used - limit, used - limit, 'WITHSCORES')
  return {'wait', math.floor(tonumber(entry[2])) + windowMs + 1 - now}
end
local latest = now + tonumber(holdMs)
redis.call('ZADD', hour, latest, place)
redis.call('PEXPIRE', hour, windowMs * 2)
return {'go', latest}
`,
)

/** The request reached the service by now. Never later than it was stamped at first. */
export const settlePlace = script(
  z.number(),
  "hour",
  "place",
  `
local stamp = redis.call('ZSCORE', hour, place)
if stamp and tonumber(stamp) > now then redis.call('ZADD', hour, now, place) end
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

/** Places in use. */
export const usedPlaces = script(
  z.number(),
  "hour",
  "windowMs",
  "return redis.call('ZCOUNT', hour, '(' .. (now - tonumber(windowMs)), '+inf')",
)
