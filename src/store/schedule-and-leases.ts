import { z } from "zod"
import { WAKE_CHANNEL } from "./redis-keys.ts"
import { type Store, script } from "./script.ts"

/**
 * Lua. A schedule is a sorted set of due times in ms. A lease is one worker's claim on a member
 * until the time in the score. Half a millisecond in the score distinguishes it from a due time;
 * the score is also the holder's fencing token. `due` makes a member due sooner, never later. It
 * does not touch a leased member but stores the time beside the schedule until the holder gives the
 * member back; a holder who does so with a commit notices by the record's `rev`. With `onlyNew` it
 * undoes no wait: the member is due then only if it was not due at all, or, as half a millisecond in
 * the stored time says, if its holder gives it back as done. `waitFor` returns
 * the ms until something is due, -1 in an empty schedule. `wake` tells sleeping workers of each
 * schedule whose first due time has changed; if the Redis user may not publish, workers notice at
 * their next check.
 */
export const SCHEDULES = `
local touched = {}
local function firstOf(schedule)
  return tonumber(redis.call('ZRANGE', schedule, 0, 0, 'WITHSCORES')[2])
end
local function waitFor(schedule)
  local at = firstOf(schedule)
  return at and math.ceil(math.max(0, at - now)) or -1
end
local function watch(schedule)
  if touched[schedule] == nil then touched[schedule] = firstOf(schedule) or false end
end
local function due(schedule, member, inMs, onlyNew)
  watch(schedule)
  local at = tonumber(redis.call('ZSCORE', schedule, member))
  local soon = math.floor(now + inMs)
  if at and at % 1 ~= 0 then
    local noted = tonumber(redis.call('HGET', schedule .. ':again', member))
    if noted and (onlyNew or noted % 1 == 0 and noted <= soon) then return end
    redis.call('HSET', schedule .. ':again', member, onlyNew and soon + 0.5 or soon)
  elseif not at or not onlyNew and at > soon then redis.call('ZADD', schedule, soon, member) end
end
local function forgetNote(schedule, member) redis.call('HDEL', schedule .. ':again', member) end
local function holds(schedule, member, lease)
  return tonumber(redis.call('ZSCORE', schedule, member) or '-1') == tonumber(lease)
end
local function giveBack(schedule, member, inMs, noted)
  watch(schedule)
  forgetNote(schedule, member)
  local at = inMs and math.ceil(now + inMs)
  if noted and (not at or noted % 1 == 0 and noted < at) then
    at = math.ceil(math.max(math.floor(noted), now))
  end
  if at then redis.call('ZADD', schedule, at, member) else redis.call('ZREM', schedule, member) end
end
local function publish(what) redis.pcall('PUBLISH', '${WAKE_CHANNEL}', what) end
local function wake()
  for schedule, before in pairs(touched) do
    local at = firstOf(schedule)
    if at and at ~= before then
      publish(schedule .. ' ' .. string.format('%.0f', waitFor(schedule)))
    end
  end
end
`

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

/**
 * Lua. Reads a key, or returns `broken` if somebody changed it to another type by hand: then the
 * record in it is named as one that doesn't parse, and stops no others.
 */
export const READ_OR = `
local function readOr(broken, ...)
  local answer = redis.pcall(...)
  if type(answer) ~= 'table' or not answer.err then return answer end
  return string.find(answer.err, 'WRONGTYPE', 1, true) and broken or redis.call(...)
end
`

/** Returns the lease that ends this many ms later; whole ms keep the half one that marks a lease. */
export function laterLease(lease: string, ms: number): number {
  return Number(lease) + Math.round(ms)
}

/** Parses alternating names and values, which HGETALL returns in Lua. */
export const flatHash = z.array(z.string()).transform((flat) => {
  const hash: Record<string, string> = {}
  for (let i = 0; i + 1 < flat.length; i += 2) hash[flat[i] ?? ""] = flat[i + 1] ?? ""
  return hash
})

/** Parses a wait in ms, of which -1 stands for one without an end. */
export const waitMs = z.number().transform((ms) => (ms < 0 ? Number.POSITIVE_INFINITY : ms))

const rows = z.array(z.tuple([z.string(), flatHash]))

/**
 * Leases due members, the most overdue first, and removes those whose record is gone. Also returns
 * the ms until the next one is due: a claim in vain must not forget it.
 */
export const claim = script(
  z.tuple([z.number(), z.string(), rows, waitMs]),
  "schedule",
  "limit leaseMs recordPrefix",
  `${READ_OR}${SCHEDULES}
watch(schedule)
local lease, rows = string.format('%.1f', now + tonumber(leaseMs) + 0.5), {}
for _, id in ipairs(redis.call('ZRANGEBYSCORE', schedule, '-inf', now, 'LIMIT', 0, limit)) do
  forgetNote(schedule, id)
  local hash = readOr({'', ''}, 'HGETALL', recordPrefix .. id)
  if #hash == 0 then redis.call('ZREM', schedule, id)
  else
    redis.call('ZADD', schedule, lease, id)
    rows[#rows + 1] = {id, hash}
  end
end
wake()
return {now, lease, rows, waitFor(schedule)}
`,
)

const giveBackScript = script(
  waitMs,
  "schedule",
  "member lease inMs",
  `${SCHEDULES}
if holds(schedule, member, lease) then
  local noted = tonumber(redis.call('HGET', schedule .. ':again', member))
  giveBack(schedule, member, tonumber(inMs), noted)
end
wake()
return waitFor(schedule)
`,
)

/**
 * Ends the lease of a member, which is due again in this many ms or leaves the schedule. If `due`
 * named a sooner time during the lease, the member is due at that time instead.
 * @returns the ms until the schedule's first member is due
 */
export async function giveBack(
  store: Store,
  schedule: string,
  { id: member, lease }: { id: string; lease: string },
  againMs: number | "done",
): Promise<number> {
  const inMs = againMs === "done" ? "" : Math.max(0, Math.round(againMs))
  return giveBackScript(store, { schedule }, { member, lease, inMs })
}

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
