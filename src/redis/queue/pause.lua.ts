import { FIELDS } from "../safe-reads.lua.ts"
import { WAKE_TROUBLES } from "../schedules/wake-ups.lua.ts"

/** Processes with the old key and with the new one run side by side for about as long, ms. */
const ROLLING_MS = 60_000

/**
 * `rest`: a project pauses for a while. One that waits for this very key waits on, whatever else goes
 * wrong meanwhile. `refuse`: it pauses until a person resumes it, or there is another key.
 */
export const PAUSES = `${FIELDS}
-- How often in a row. A pause that was changed by hand starts again.
local function pausedAgain(pause)
  local tries = redis.pcall('HINCRBY', pause, 'tries', 1)
  if type(tries) == 'number' then return tries end
  if not string.find(tries.err, 'integer', 1, true) then wrongType(tries) end
  redis.call('DEL', pause)
  return redis.call('HINCRBY', pause, 'tries', 1)
end

local function rest(pause, reason, key, firstMs, longestMs, lengthMs)
  local was = fields(pause, 'until', 'key')
  if was[1] == '' and was[2] == key then return end
  local tries = pausedAgain(pause)
  local length = lengthMs or math.min(tonumber(firstMs) * 2 ^ (tries - 1), tonumber(longestMs))
  redis.call('HSET', pause, 'reason', reason, 'until', string.format('%.0f', now + length))
  redis.call('HSETNX', pause, 'since', now)
  redis.call('HDEL', pause, 'key', 'reads')
end

local function refuse(pause, refused, reason, key)
  pausedAgain(pause)
  redis.call('HSET', pause, 'reason', reason, 'until', '', 'key', key)
  redis.call('HSETNX', pause, 'since', now)
  redis.call('SET', refused, key, 'PX', ${ROLLING_MS})${WAKE_TROUBLES}end
`
