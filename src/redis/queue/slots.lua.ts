import { z } from "zod"
import { RECORD_VERSION } from "../job-record.ts"
import { flatHash } from "../replies.ts"
import { FIELDS, RECORD, TEXT } from "../safe-reads.lua.ts"
import { script } from "../script.ts"
import { ROUND_OF } from "./fair-order.lua.ts"

/**
 * The moment from which creations may be granted. Redis without its data, or started again without
 * what it stored last, must first have the reports of all running processes: that wait begins here.
 */
const OPENS_AT = `
local function opensAt(epoch, coldMs)
  local server = redis.pcall('INFO', 'server')
  local run = type(server) == 'string' and string.match(server, 'run_id:(%w+)') or ''
  local opens, ofRun = string.match(text(epoch) or '', '^(%d+) (%w*)$')
  if ofRun ~= run then
    opens = string.format('%.0f', now + tonumber(coldMs))
    redis.call('SET', epoch, opens .. ' ' .. run)
  end
  return tonumber(opens)
end
`

/** Begins the wait of a Redis that may have forgotten something, unless it has begun. */
export const beginWait = script(
  z.number(),
  "epoch",
  "coldMs",
  `${TEXT}${OPENS_AT}
return opensAt(epoch, coldMs)
`,
)

/**
 * Takes one slot of the rolling hour and the next job in fair order, in one step.
 *
 * The slot is stamped with the latest moment the creation can arrive at the service, and lowered to
 * the moment of the answer afterwards: stamping at the grant let 103 through under a slow network.
 * A job starts only once its card is posted: where nobody could see what becomes of it, none is spent.
 * One whose card is on its way is passed over, by its own round of the fair order only: a card that a
 * dead worker has leased comes half a minute late. One that never comes holds nobody up for long. Near
 * the ceiling only people with few creations are served.
 * `peek` only tells what would happen; else the reply holds the job's record and words.
 */
export const reserve = script(
  z.union([
    z.tuple([z.literal("go"), z.string(), flatHash, z.string()]),
    z.tuple([z.literal("wait"), z.number()]),
    z.tuple([z.literal("empty"), z.number()]),
  ]),
  "grant log wait creating epoch pause last outbox busy refused",
  "token peek cap windowMs creationMs reserved light coldMs cardMs jobPrefix promptPrefix waitingPrefix queue key",
  `${FIELDS}${RECORD}${TEXT}${OPENS_AT}${ROUND_OF}
local function go(id)
  return {'go', id, record(jobPrefix .. id), text(promptPrefix .. id) or ''}
end
cap, windowMs, reserved, light = tonumber(cap), tonumber(windowMs), tonumber(reserved), tonumber(light)
local given = redis.call('GET', grant)
if given then return go(given) end
if redis.call('ZCARD', wait) == 0 then
  if redis.call('ZCARD', creating) == 0 then
    redis.call('SREM', busy, queue)
    -- Whoever asks next starts a new count, and until then nobody has to be known.
    redis.call('DEL', last)
  end
  return {'empty', 0}
end

local opens = opensAt(epoch, coldMs)
if now < opens then return {'wait', opens - now} end

local paused = fields(pause, 'reason', 'until', 'key')
-- While the project is fine with another key, a process that still has the refused one leaves it be.
if not paused[1] and text(refused) == key then return {'wait', 5000} end
if paused[1] then
  -- Without an end it waits for a person, or for another key than the one that was refused.
  if paused[2] == '' and paused[3] == key then return {'wait', 60000} end
  local left = math.min((tonumber(paused[2]) or 0) - now, 86400000)
  if left > 0 then return {'wait', left} end
  -- After a pause one creation goes first, alone: its outcome says whether the trouble is over.
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

-- Nearly always one of the first may start; only a long row of jobs without a card takes more.
local from, step, chosen, user, first = 0, 5, nil, nil, nil
-- The round of the first whose card is on its way, and whether that is the end of the row.
local held, over = nil, false
while not chosen and not over and from < 2000 do
  local ids = redis.call('ZRANGE', wait, from, from + step - 1)
  if #ids == 0 then break end
  local kept = #ids
  for _, id in ipairs(ids) do
    local found = fields(jobPrefix .. id, 'user', 'card', 'v', 'state', 'tag', 'at')
    local round = roundOf(tonumber(found[5]) or 0)
    local served = not counts or (counts[found[1]] or 0) < light
    if found[3] and found[3] ~= '${RECORD_VERSION}' then
      -- Of a version that runs elsewhere, and that starts it; here it is only told of.
      redis.call('ZADD', outbox, 'NX', now, id)
    elseif not found[1] or found[4] ~= 'queued' then
      redis.call('ZREM', wait, id)
      kept = kept - 1
      if found[1] then redis.call('ZREM', waitingPrefix .. found[1], id) end
    elseif held and round > held then
      over = true
      break
    elseif found[2] then
      first = first or id
      if served then
        chosen, user = id, found[1]
        break
      end
    elseif served and now - (tonumber(found[6]) or 0) < tonumber(cardMs) then
      held = held or round
    end
  end
  from, step = from + kept, 100
end
if not chosen then
  if first and cap - reserved > 0 then return {'wait', freeAfter(cap - reserved)} end
  return {'wait', 250}
end
if peek == '1' then return {'go', chosen, {}, ''} end

-- The round is that of the first in line, also where somebody behind was let pass.
local round = tonumber(redis.call('ZSCORE', wait, first))
if round > (tonumber(redis.call('HGET', last, '')) or 0) then redis.call('HSET', last, '', round) end
redis.call('ZREM', wait, chosen)
redis.call('ZREM', waitingPrefix .. user, chosen)
redis.call('ZADD', log, now + tonumber(creationMs), chosen .. ' ' .. user)
redis.call('PEXPIRE', log, windowMs + tonumber(creationMs))
redis.call('ZADD', creating, now + tonumber(creationMs), chosen)
redis.call('HSET', jobPrefix .. chosen, 'state', 'creating', 'token', token)
redis.pcall('HINCRBY', jobPrefix .. chosen, 'rev', 1)
redis.call('HDEL', jobPrefix .. chosen, 'place', 'starts', 'paused', 'tried')
redis.call('ZADD', outbox, 'NX', now, chosen)
redis.call('SET', grant, chosen, 'PX', 120000)
return go(chosen)
`,
)
