import { z } from "zod"
import { LONGEST_DELAY_MS, LONGEST_PAUSE_MS } from "../lib/time.ts"
import { FAIR_TAG } from "./fair-order.ts"
import { flatHash, NOT_AHEAD, READ_OR, SCHEDULES } from "./schedule.ts"
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

/**
 * Lua. Returns how long the pause of the queue or its project lasts, in ms; 0 if nothing is paused.
 * A pause without an end lasts until a person acts or, if a key was refused, until it works again
 * or this process has another one: `isHeldFor`, which is the same rule in `limit/pauses.ts`.
 */
const PAUSED_FOR = `
local function pausedFor(pause, projectPause, creating, keyId)
  local function read(of) return unpack(redis.call('HMGET', of, 'reason', 'until', 'key'), 1, 3) end
  local function isHeldFor(reason, ends, key)
    if not reason then return key == keyId end
    return (ends == 'ever' or ends == 'read') and (key or keyId) == keyId
  end
  if isHeldFor(read(projectPause)) then return 60000 end
  local reason, ends, key = read(pause)
  if isHeldFor(reason, ends, key) then return 60000 end
  if not reason then return 0 end
  local left = (tonumber(ends) or 0) - now
  -- No pause is longer: the clock was set back since.
  if left > 0 and left <= ${LONGEST_PAUSE_MS} then return left end
  -- After a pause one creation goes first, alone: its outcome says whether the problem is over.
  return redis.call('ZCARD', creating) > 0 and 250 or 0
end
`

/**
 * Lua. Looks through a queue in fair order for a record that may start, from the moment in its
 * field `mayStartAt`. A record without it still waits, for example for its card. Others of its turn
 * may pass it, later turns only after `heldMs`, so that a card that never comes delays nobody for
 * long. `standingOf` tells `gone`, `ready`, `soon`, `held` and `passed`, with the person, the turn
 * and the ms until another look. `choose` returns the record and its person, or nil; the first record that could start if its person
 * were allowed to; and the ms after which another look makes sense.
 */
const CHOOSE = `
local function standingOf(record, heldMs)
  local names = {'turnOf', 'mayStartAt', 'state', 'tag', 'at', 'rev'}
  local fields = readOr({}, 'HMGET', record, unpack(names))
  local person, startsAt, state, tag, at, rev = unpack(fields, 1, 6)
  if not person or state ~= 'queued' or not tonumber(rev) then return 'gone', person end
  local turn = turnNumber(tonumber(tag) or 0)
  if startsAt then
    local startsIn = tonumber(startsAt) - now
    -- No delay is longer: the clock was set back since.
    if startsIn <= 0 or startsIn > ${LONGEST_DELAY_MS} then return 'ready', person, turn, 0 end
    return 'soon', person, turn, math.max(1, startsIn)
  end
  local ageMs = now - (tonumber(at) or 0)
  -- A request of the future is from before the clock was set back.
  local isHeld = ageMs >= 0 and ageMs < heldMs
  return isHeld and 'held' or 'passed', person, turn, 250
end
local function choose(wait, prefixes, heldMs, isAllowed)
  -- Nearly always one of the first may start; only a long run of records that wait needs more reads.
  local from, step = 0, 5
  local first, heldTurn, soonest = nil, nil, 60000
  while from < 2000 do
    local ids = redis.call('ZRANGE', wait, from, from + step - 1)
    if #ids == 0 then break end
    local kept = #ids
    for _, id in ipairs(ids) do
      local standing, person, turn, againMs = standingOf(prefixes.record .. id, heldMs)
      if standing == 'gone' then
        redis.call('ZREM', wait, id)
        kept = kept - 1
        if person then redis.call('ZREM', prefixes.waiting .. person, id) end
      elseif heldTurn and turn > heldTurn then return nil, nil, first, soonest
      elseif standing == 'ready' then
        first = first or id
        if isAllowed(person) then return id, person, first, 0 end
      else
        if standing == 'held' and isAllowed(person) then heldTurn = heldTurn or turn end
        soonest = math.min(soonest, againMs)
      end
    end
    from, step = from + kept, 100
  end
  return nil, nil, first, soonest
end
`

/**
 * Lua. Returns a function that says whether a person may have a slot, if only reserved ones are
 * left. Members of the rolling-hour log end with the person. `mayUseReserved` in
 * `limit/queue-positions.ts` is the same rule, by which cards promise a start.
 */
const MAY_USE = `
local function reservedFor(log, light)
  local counts = {}
  for _, member in ipairs(redis.call('ZRANGE', log, 0, -1)) do
    local user = string.match(member, ' (.*)$') or ''
    counts[user] = (counts[user] or 0) + 1
  end
  return function(person) return (counts[person] or 0) < light end
end
`

/**
 * Takes one slot of the rolling-hour log and the next record in fair order, in one step. The only
 * script that decides a `state`: it sets the record to `creating`.
 *
 * The slot's score is the creation's latest possible arrival at the service; the process lowers it
 * to the moment of the answer. When the score was this script's time, a slow network let 103
 * creations into one hour. Near the limit the script serves only people with few creations. `peek`
 * only cleans up and returns what would happen.
 */
export const reserve = script(
  z.union([
    z.tuple([z.literal("go"), z.number(), z.string(), flatHash]),
    z.tuple([z.literal("wait"), z.number()]),
    z.tuple([z.literal("empty"), z.number()]),
  ]),
  "grant log wait creating epoch pause projectPause last outbox busy month monthExtra",
  "token peek monthCap monthMs allowedMore cap windowMs creationDeadlineMs reserved light coldMs heldMs recordPrefix waitingPrefix queue keyId",
  `${READ_OR}${FAIR_TAG}${OPENS_AT}${PAUSED_FOR}${CHOOSE}${SCHEDULES}${NOT_AHEAD}${MAY_USE}
local function go(id) return {'go', now, id, readOr({'', ''}, 'HGETALL', recordPrefix .. id)} end
cap, windowMs, reserved, light = tonumber(cap), tonumber(windowMs), tonumber(reserved), tonumber(light)
local given = redis.call('GET', grant)
if given then return go(given) end
if redis.call('ZCARD', wait) == 0 then
  if redis.call('ZCARD', creating) == 0 then redis.call('SREM', busy, queue) end
  return {'empty', 0}
end
local opens = opensAt(epoch, coldMs)
if now < opens then return {'wait', opens - now} end
local pausedMs = pausedFor(pause, projectPause, creating, keyId)
if pausedMs > 0 then return {'wait', pausedMs} end

-- A month without room holds back creations and messages alike, until it ends or more is allowed.
local monthRoom = tonumber(monthCap) + redis.call('SCARD', monthExtra) * tonumber(allowedMore)
if tonumber(monthCap) > 0 and redis.call('ZCARD', month) >= monthRoom then return {'wait', 60000} end

for _, set in ipairs({log, creating}) do notAhead(set, tonumber(creationDeadlineMs)) end
redis.call('ZREMRANGEBYSCORE', log, '-inf', now - windowMs)
local used = redis.call('ZCARD', log)
local function freeAfter(limit)
  local entry = redis.call('ZRANGE', log, used - limit, used - limit, 'WITHSCORES')
  return math.max(1, math.min(tonumber(entry[2]) + windowMs - now, windowMs * 2))
end
if used >= cap then return {'wait', freeAfter(cap)} end

local function isAllowed() return true end
if cap - used <= reserved then isAllowed = reservedFor(log, light) end
local prefixes = {record = recordPrefix, waiting = waitingPrefix}
local chosen, user, first, soonest = choose(wait, prefixes, tonumber(heldMs), isAllowed)
if not chosen then
  if first and cap - reserved > 0 then soonest = math.min(soonest, freeAfter(cap - reserved)) end
  return {'wait', soonest}
end
if peek == '1' then return {'go', now, chosen, {}} end

-- Stores the tag of the first that could start, even if the script chose one behind it.
local firstTag = tonumber(redis.call('ZSCORE', wait, first))
if firstTag > (tonumber(redis.call('HGET', last, '')) or 0) then redis.call('HSET', last, '', firstTag) end
redis.call('HSET', last, user, redis.call('ZSCORE', wait, chosen))
redis.call('ZREM', wait, chosen)
redis.call('ZREM', waitingPrefix .. user, chosen)
local record = recordPrefix .. chosen
-- As 'slotOf' names it: each attempt has a slot of its own, even if a backup brings a job back.
local slot = chosen .. ':' .. token .. ' ' .. user
redis.call('ZADD', log, now + tonumber(creationDeadlineMs), slot)
redis.call('PEXPIRE', log, windowMs + tonumber(creationDeadlineMs))
if tonumber(monthCap) > 0 then
  redis.call('ZADD', month, now, slot)
  redis.call('PEXPIRE', month, monthMs)
end
redis.call('ZADD', creating, now + tonumber(creationDeadlineMs), chosen)
redis.call('HSET', record, 'state', 'creating', 'grant', token)
redis.call('HINCRBY', record, 'rev', 1)
due(outbox, chosen, 0, true)
wake()
redis.call('SET', grant, chosen, 'PX', 120000)
return go(chosen)
`,
)
