import { z } from "zod"
import { script } from "./script.ts"

/**
 * Applies Slack's limits over all processes, as rates with a burst (generic cell rate algorithm);
 * each limit has a key, an interval in ms, this caller's burst and the largest burst of any caller.
 * Returns 0 if it took a turn from every limit; otherwise takes none and returns the wait in ms.
 * Bottleneck handles one limit at a time and would wait instead of returning the time.
 */
export const rateLimit = script(
  z.number(),
  "",
  "",
  `
local function limitOf(n)
  local from = rest + 3 * (n - 1)
  return tonumber(ARGV[from]), tonumber(ARGV[from + 1]), tonumber(ARGV[from + 2])
end
-- No burst reaches further ahead: otherwise the clock was set back since.
local function reached(n, key)
  local interval, _, largest = limitOf(n)
  local at = math.max(tonumber(redis.call('GET', key)) or 0, now)
  local furthest = now + interval * largest
  if at <= furthest then return at end
  redis.call('SET', key, string.format('%.0f', furthest), 'PX', math.ceil(interval * largest))
  return furthest
end
local waitMs = 0
for n, key in ipairs(KEYS) do
  local interval, burst = limitOf(n)
  waitMs = math.max(waitMs, reached(n, key) - now - interval * (burst - 1))
end
if waitMs > 0 then return math.ceil(waitMs) end
for n, key in ipairs(KEYS) do
  local at = reached(n, key) + limitOf(n)
  redis.call('SET', key, string.format('%.0f', at), 'PX', math.max(1, math.ceil(at - now)))
end
return 0
`,
)

/**
 * Lua. Lowers the times in a sorted set that are further ahead than any is written: the clock was
 * set back since, by a time that nobody knows. So they count from now on.
 */
export const NOT_AHEAD = `
local function notAhead(set, longestMs)
  local latest = now + longestMs
  for _, member in ipairs(redis.call('ZRANGEBYSCORE', set, '(' .. latest, '+inf')) do
    redis.call('ZADD', set, latest, member)
  end
end
`
