import { z } from "zod"
import { script } from "./script.ts"

/**
 * Takes slots in a rolling window, all of them or none: one for each name in \`rest\`. A name that has its
 * slot keeps it, however often it is asked for. 0, or how long there is no room for so many, ms.
 */
export const takeSlots = script(
  z.number(),
  "log",
  "cap windowMs",
  `
cap, windowMs = tonumber(cap), tonumber(windowMs)
if #ARGV < rest or redis.call('ZSCORE', log, ARGV[rest]) then return 0 end
redis.call('ZREMRANGEBYSCORE', log, '-inf', now - windowMs)
local wanted = #ARGV - rest + 1
local used = redis.call('ZCARD', log)
local over = used + wanted - cap
if over > 0 then
  if over > used then return windowMs end
  local entry = redis.call('ZRANGE', log, over - 1, over - 1, 'WITHSCORES')
  return math.max(1, math.ceil(tonumber(entry[2]) + windowMs - now))
end
for i = rest, #ARGV do redis.call('ZADD', log, now, ARGV[i]) end
redis.call('PEXPIRE', log, windowMs)
return 0
`,
)
