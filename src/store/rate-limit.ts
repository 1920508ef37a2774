import { z } from "zod"
import { type Store, script } from "./script.ts"

/**
 * Applies Slack's limits over all processes, as rates with a burst (generic cell rate algorithm);
 * each limit has a key, an interval in ms and a burst. Returns 0 if it took a turn from every
 * limit; otherwise takes none and returns the wait in ms. Bottleneck handles one limit at a time
 * and would wait instead of returning the time.
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
 * Takes one slot in a rolling window for each name in `rest`, all or none. If the first
 * one has a slot already, all keep theirs.
 * @returns 0, or the ms until the window has room for them
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

/** Reads the members of a sorted set within a range of scores, lowest first. */
export async function scoresOf(
  { redis }: Pick<Store, "redis">,
  key: string,
  from: number | string = "-inf",
  to: number | string = "+inf",
) {
  const flat = await redis.zrangebyscore(key, from, to, "WITHSCORES")
  return flat.flatMap((member, n) => (n % 2 === 0 ? { member, score: Number(flat[n + 1]) } : []))
}
