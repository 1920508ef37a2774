import { z } from "zod"
import { FAIR_TAG } from "./fair-order.ts"
import { flatHash, SCHEDULES } from "./schedule.ts"
import { script } from "./script.ts"

/**
 * Lua. Returns the moment from which Redis may grant slots. A Redis that lost all or its latest
 * data must first get the reports of all running processes; this script begins that wait.
 */
const OPENS_AT = `
local function opensAt(epoch, coldMs)
  local server = redis.pcall('INFO', 'server')
  local run = type(server) == 'string' and string.match(server, 'run_id:(%w+)') or ''
  local opens, ofRun = string.match(redis.call('GET', epoch) or '', '^(%d+) (%w*)$')
  if ofRun ~= run then
    opens = string.format('%.0f', now + tonumber(coldMs))
    redis.call('SET', epoch, opens .. ' ' .. run)
  end
  return tonumber(opens)
end
`

/** Begins the wait of a Redis that may have lost data, unless it has begun. Returns a different id for each wait. */
export const beginWait = script(
  z.string(),
  "epoch",
  "coldMs",
  `${OPENS_AT}
opensAt(epoch, coldMs)
return redis.call('GET', epoch)
`,
)

/**
 * Takes one slot of the rolling-hour log and the next record in fair order, in one step. The only
 * script that decides a `state`: it sets the record to `creating`.
 *
 * The slot's score is the creation's latest possible arrival at the service; the process lowers it
 * to the moment of the answer. With the time of the grant as the score, a slow network let 103
 * creations through. A record may start from the moment in its field `from`. A record without
 * `from` still waits, for example for its card. Others of its turn in the fair order may pass it,
 * later turns only after `heldMs`, so a card that never comes delays nobody for long. Near the
 * limit the script serves only people with few creations. `peek` only cleans up and returns what would happen.
 */
export const reserve = script(
  z.union([
    z.tuple([z.literal("go"), z.string(), flatHash, z.string()]),
    z.tuple([z.literal("wait"), z.number()]),
    z.tuple([z.literal("empty"), z.number()]),
  ]),
  "grant log wait creating epoch pause last outbox busy",
  "token peek cap windowMs creationMs reserved light coldMs heldMs recordPrefix textPrefix waitingPrefix queue keyId",
  `${FAIR_TAG}${OPENS_AT}${SCHEDULES}
local function go(id)
  return {'go', id, redis.call('HGETALL', recordPrefix .. id), redis.call('GET', textPrefix .. id) or ''}
end
cap, windowMs, reserved, light = tonumber(cap), tonumber(windowMs), tonumber(reserved), tonumber(light)
local given = redis.call('GET', grant)
if given then return go(given) end
if redis.call('ZCARD', wait) == 0 then
  if redis.call('ZCARD', creating) == 0 then redis.call('SREM', busy, queue) end
  return {'empty', 0}
end

local opens = opensAt(epoch, coldMs)
if now < opens then return {'wait', opens - now} end

local paused = redis.call('HMGET', pause, 'until', 'refusedKey', 'rolling')
-- While another key works, a process that still has the refused one leaves the queue alone.
local isRolling = now < (tonumber(paused[3]) or 0)
if not paused[1] and paused[2] == keyId and isRolling then return {'wait', 5000} end
if paused[1] then
  -- A pause without an end lasts until a person acts, or until this process has another key than the refused one.
  if paused[1] == 'ever' and (paused[2] or keyId) == keyId then return {'wait', 60000} end
  local left = math.min((tonumber(paused[1]) or 0) - now, 86400000)
  if left > 0 then return {'wait', left} end
  -- After a pause one creation goes first, alone: its outcome says whether the problem is over.
  if redis.call('ZCARD', creating) > 0 then return {'wait', 250} end
end

redis.call('ZREMRANGEBYSCORE', log, '-inf', now - windowMs)
local used = redis.call('ZCARD', log)
local function freeAfter(limit)
  local entry = redis.call('ZRANGE', log, used - limit, used - limit, 'WITHSCORES')
  return math.max(1, math.min(tonumber(entry[2]) + windowMs - now, windowMs * 2))
end
if used >= cap then return {'wait', freeAfter(cap)} end

local counts
if cap - used <= reserved then
  counts = {}
  for _, member in ipairs(redis.call('ZRANGE', log, 0, -1)) do
    local user = string.match(member, ' (.*)$') or ''
    counts[user] = (counts[user] or 0) + 1
  end
end

-- Nearly always one of the first may start; only a long run of records that wait needs more reads.
local from, step, chosen, user, first = 0, 5, nil, nil, nil
-- The turn of the first record that is held, whether to stop looking, and when one may start.
local held, over, soonest = nil, false, 60000
while not chosen and not over and from < 2000 do
  local ids = redis.call('ZRANGE', wait, from, from + step - 1)
  if #ids == 0 then break end
  local kept = #ids
  for _, id in ipairs(ids) do
    local was = redis.call('HMGET', recordPrefix .. id, 'turnOf', 'from', 'state', 'tag', 'at', 'rev')
    local person, startsAt, state, tag, at, rev = was[1], was[2], was[3], was[4], was[5], was[6]
    local round = roundOf(tonumber(tag) or 0)
    local served = not counts or (counts[person] or 0) < light
    local startsIn = startsAt and tonumber(startsAt) - now
    if not person or state ~= 'queued' or not tonumber(rev) then
      redis.call('ZREM', wait, id)
      kept = kept - 1
      if person then redis.call('ZREM', waitingPrefix .. person, id) end
    elseif held and round > held then
      over = true
      break
    elseif startsIn and startsIn <= 0 then
      first = first or id
      if served then
        chosen, user = id, person
        break
      end
    elseif startsIn then
      soonest = math.max(1, math.min(soonest, startsIn))
    elseif served and now - (tonumber(at) or 0) < tonumber(heldMs) then
      held = held or round
      soonest = math.min(soonest, 250)
    else soonest = math.min(soonest, 250)
    end
  end
  from, step = from + kept, 100
end
if not chosen then
  if first and cap - reserved > 0 then return {'wait', math.min(soonest, freeAfter(cap - reserved))} end
  return {'wait', soonest}
end
if peek == '1' then return {'go', chosen, {}, ''} end

-- Stores the tag of the first in line, even if the script let somebody behind it start.
local round = tonumber(redis.call('ZSCORE', wait, first))
if round > (tonumber(redis.call('HGET', last, '')) or 0) then redis.call('HSET', last, '', round) end
redis.call('HSET', last, user, redis.call('ZSCORE', wait, chosen))
redis.call('ZREM', wait, chosen)
redis.call('ZREM', waitingPrefix .. user, chosen)
local record = recordPrefix .. chosen
-- Each round of a record is a creation of its own.
local slot = chosen .. ':' .. (redis.call('HGET', record, 'round') or '') .. ' ' .. user
redis.call('ZADD', log, now + tonumber(creationMs), slot)
redis.call('PEXPIRE', log, windowMs + tonumber(creationMs))
redis.call('ZADD', creating, now + tonumber(creationMs), chosen)
redis.call('HSET', record, 'state', 'creating', 'grant', token)
redis.call('HINCRBY', record, 'rev', 1)
due(outbox, chosen, 0, true)
wake()
redis.call('SET', grant, chosen, 'PX', 120000)
return go(chosen)
`,
)
