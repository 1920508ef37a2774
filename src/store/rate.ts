import { z } from "zod"
import { script } from "./script.ts"

/**
 * Slack's limits as rates with a burst (the generic cell rate algorithm), over all processes: a key for
 * each, and interval and burst of each as arguments. 0: the turn is taken of all. Else the ms after which
 * to ask again; nothing is taken. Bottleneck takes one limit at a time, and would wait instead of telling.
 */
export const rateLimit = script(
  z.number(),
  "",
  "",
  `
local function limitOf(n) return tonumber(ARGV[rest + 2 * n - 2]), tonumber(ARGV[rest + 2 * n - 1]) end
local waitMs = 0
for n, key in ipairs(KEYS) do
  local interval, burst = limitOf(n)
  local at = math.max(tonumber(redis.call('GET', key)) or 0, now)
  waitMs = math.max(waitMs, at - now - interval * (burst - 1))
end
if waitMs > 0 then return math.ceil(waitMs) end
for n, key in ipairs(KEYS) do
  local at = math.max(tonumber(redis.call('GET', key)) or 0, now) + limitOf(n)
  redis.call('SET', key, string.format('%.0f', at), 'PX', math.max(1, math.ceil(at - now)))
end
return 0
`,
)
