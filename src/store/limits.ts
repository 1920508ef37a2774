import { z } from "zod"
import { key } from "./keys.ts"
import { type Store, script } from "./script.ts"

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

/**
 * Takes slots in a rolling window, all of them or none: one for each name in `rest`. A name that has its
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

/** Returns true to one caller among all processes within `ms`. */
export async function once({ redis }: Store, task: string, ms: number): Promise<boolean> {
  return (await redis.set(key("once", task), "1", "PX", ms, "NX")) === "OK"
}
