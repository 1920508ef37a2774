import { z } from "zod"
import { MONTH_KEPT_MS } from "../lib/time.ts"
import { CHOOSE, FAIR_TAG, SOON_MS } from "./fair-order.ts"
import { flatHash, NOT_AHEAD, SCHEDULES, waitMs } from "./schedule-and-leases.ts"
import { script } from "./script.ts"

/**
 * Lua. Returns the moment from which jobs may start. A restarted, replaced or emptied Redis may
 * have lost data, so all workers must first report what they started; this script begins that wait.
 */
const OPENS_AT = `
local function opensAt(epoch, coldMs)
  local server = redis.pcall('INFO', 'server')
  local run = type(server) == 'string' and string.match(server, 'run_id:(%w+)') or ''
  local opens, ofRun = string.match(redis.call('GET', epoch) or '', '^(%d+) (%w*)$')
  -- No wait is longer: the clock was set back since.
  if ofRun ~= run or tonumber(opens) - now > tonumber(coldMs) then
    opens = string.format('%.0f', now + tonumber(coldMs))
    redis.call('SET', epoch, opens .. ' ' .. run)
  end
  return tonumber(opens)
end
`

/** Begins the wait of a Redis that may have lost data, unless it has begun; returns now and its id. */
export const beginWait = script(
  z.tuple([z.number(), z.string()]),
  "epoch",
  "coldMs",
  `${OPENS_AT}
opensAt(epoch, coldMs)
return {now, redis.call('GET', epoch)}
`,
)

/** Number of slots in the hour from which on a person gets no reserved one. */
export const HEAVY_FROM = 5

/**
 * Lua. Reads the rolling hour: since when each slot counts, oldest first, and as keys the heavy
 * users, who get no reserved slot.
 */
const READ_HOUR = `
local function readHour(log, windowMs)
  local slots = redis.call('ZRANGEBYSCORE', log, '(' .. now - windowMs, '+inf', 'WITHSCORES')
  local times, counts, heavy = {}, {}, {}
  for n = 1, #slots, 2 do
    -- As 'slotOf' names it, a slot ends with its person.
    local user = string.match(slots[n], ' (.*)$') or ''
    counts[user] = (counts[user] or 0) + 1
    if counts[user] >= ${HEAVY_FROM} then heavy[user] = true end
    times[#times + 1] = tonumber(slots[n + 1])
  end
  return times, heavy
end
`

/** Returns now, since when each slot of the rolling hour counts, and the heavy users. */
export const readHour = script(
  z.tuple([z.number(), z.array(z.number()), z.array(z.string())]),
  "log",
  "windowMs",
  `${READ_HOUR}
local times, heavy = readHour(log, tonumber(windowMs))
local users = {}
for user in pairs(heavy) do users[#users + 1] = user end
return {now, times, users}
`,
)

export interface GrantLimits {
  jobsPerHour: number
  reservedSlots: number
  windowMs: number
  /** Maximum ms from a grant to the arrival of its attempt at the service. */
  arrivesWithinMs: number
  /** Time in ms for which a Redis that may have lost data waits for reports. */
  coldMs: number
  /** Maximum ms for which a request without a card holds back later turns of the fair order. */
  heldMs: number
  /** Longest delay before the first attempt; a longer one means that the clock was set back. */
  longestDelayMs: number
}

/** Facts by which TypeScript decides on a grant, beside those that only the script can read. */
export interface GrantFacts {
  queue: string
  limits: GrantLimits
  /** Number of requests that may go in the month; absent: not counted. */
  mostInMonth: number | undefined
  pause: {
    /** Time in ms for which nothing starts. */
    forMs: number
    /** True after a pause: one goes first, alone, because its outcome says if the problem is over. */
    isTrial: boolean
    /** Changes of the pauses of the queue and of the project, by which the script knows newer ones. */
    revs: readonly [string, string]
  }
  /** Beginnings of the keys of records and of people's waiting ones. */
  prefixes: { record: string; waiting: string }
}

/**
 * Takes one slot of the rolling-hour log and the next record in fair order, in one step. The only
 * script that decides a `state`: it sets the record to `creating`. The same token gets the same
 * grant again; with an empty one the script only says what would happen.
 *
 * The slot's score is the attempt's latest possible arrival at the service; the process lowers it
 * to the moment of the answer. When the score was this script's time, a slow network let 103
 * creations into one hour.
 */
export const grantSlot = script(
  z.union([
    z.tuple([z.literal("go"), z.number(), z.string(), flatHash]),
    z.tuple([z.literal("wait"), waitMs]),
  ]),
  "grant log wait creating epoch pause projectPause last outbox busy month",
  "token facts",
  `${FAIR_TAG}${CHOOSE}${OPENS_AT}${READ_HOUR}${SCHEDULES}${NOT_AHEAD}
facts = cjson.decode(facts)
local limits, paused, prefixes = facts.limits, facts.pause, facts.prefixes
local perHour, windowMs, arrivesMs = limits.jobsPerHour, limits.windowMs, limits.arrivesWithinMs
local function go(id) return {'go', now, id, readOr({'', ''}, 'HGETALL', prefixes.record .. id)} end
local given = redis.call('GET', grant)
if given then return go(given) end
if redis.call('ZCARD', wait) == 0 then
  if redis.call('ZCARD', creating) == 0 then redis.call('SREM', busy, facts.queue) end
  return {'wait', -1}
end
local opens = opensAt(epoch, limits.coldMs)
if now < opens then return {'wait', opens - now} end

local function revOf(key) return redis.call('HGET', key, 'rev') or '' end
local isStale = revOf(pause) ~= paused.revs[1] or revOf(projectPause) ~= paused.revs[2]
if isStale then return {'wait', ${SOON_MS}} end
if paused.forMs > 0 then return {'wait', paused.forMs} end
if paused.isTrial and redis.call('ZCARD', creating) > 0 then return {'wait', ${SOON_MS}} end

-- A month without room holds back creations and messages alike, until it ends or more is allowed.
local most = facts.mostInMonth
if most and redis.call('ZCARD', month) >= most then return {'wait', 60000} end

for _, set in ipairs({log, creating}) do notAhead(set, arrivesMs) end
local times, heavy = readHour(log, windowMs)
local used = #times
local function freeAfter(limit)
  return math.max(1, math.min(times[used - limit + 1] + windowMs - now, windowMs * 2))
end
if used >= perHour then return {'wait', freeAfter(perHour)} end

local unreserved = perHour - limits.reservedSlots
local barred = used >= unreserved and heavy or {}
local choice = choose(wait, prefixes, limits, barred)
if not choice.id then
  local againMs = choice.waitMs
  if choice.first and unreserved > 0 then againMs = math.min(againMs, freeAfter(unreserved)) end
  return {'wait', againMs}
end
if token == '' then return {'go', now, choice.id, {}} end

local id, user = choice.id, choice.user
-- Stores the tag of the first that could start, even if the script chose one behind it.
local firstTag = tonumber(redis.call('ZSCORE', wait, choice.first))
if firstTag > (tonumber(redis.call('HGET', last, '')) or 0) then redis.call('HSET', last, '', firstTag) end
redis.call('HSET', last, user, redis.call('ZSCORE', wait, id))
redis.call('ZREM', wait, id)
redis.call('ZREM', prefixes.waiting .. user, id)
-- As 'slotOf' names it: each attempt has a slot of its own, even if a backup brings a job back.
local slot = id .. ':' .. token .. ' ' .. user
redis.call('ZADD', log, now + arrivesMs, slot)
redis.call('ZREMRANGEBYSCORE', log, '-inf', now - windowMs)
redis.call('PEXPIRE', log, windowMs + arrivesMs)
if most then
  redis.call('ZADD', month, now, slot)
  redis.call('PEXPIRE', month, ${MONTH_KEPT_MS})
end
redis.call('ZADD', creating, now + arrivesMs, id)
redis.call('HSET', prefixes.record .. id, 'state', 'creating', 'grant', token)
redis.call('HINCRBY', prefixes.record .. id, 'rev', 1)
due(outbox, id, 0, true)
wake()
redis.call('SET', grant, id, 'PX', 120000)
return go(id)
`,
)
