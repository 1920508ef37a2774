import { z } from "zod"
import { script } from "../script.ts"
import { TEXT } from "./tolerant.ts"

/**
 * Slack's limits as rates with a burst (the generic cell rate algorithm), over all processes; further
 * arguments: key, interval and burst of each. 0: the turn is taken of all. Else the ms after which to
 * ask again; nothing is taken. Bottleneck takes one limit at a time, and would wait instead of telling.
 */
export const takeTurn = script(
  z.number(),
  "",
  "",
  `${TEXT}
local waitMs = 0
for i = rest, #ARGV, 3 do
  local key, interval, burst = ARGV[i], tonumber(ARGV[i + 1]), tonumber(ARGV[i + 2])
  local at = math.max(tonumber(text(key)) or 0, now)
  waitMs = math.max(waitMs, at - now - interval * (burst - 1))
end
if waitMs > 0 then return math.ceil(waitMs) end
for i = rest, #ARGV, 3 do
  local at = math.max(tonumber(text(ARGV[i])) or 0, now) + tonumber(ARGV[i + 1])
  redis.call('SET', ARGV[i], string.format('%.0f', at), 'PX', math.max(1, math.ceil(at - now)))
end
return 0
`,
)
