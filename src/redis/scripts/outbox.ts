import { z } from "zod"
import { flatHash } from "../job-record.ts"
import { script } from "../script.ts"
import { RECORD, TEXT } from "./tolerant.ts"
import { WAKE_DISPATCH } from "./wake-ups.ts"

/**
 * An ended job has its closing reply to say, which people wait for: it does not stand behind the turn
 * that its card waits for. One that is leased is left to its holder.
 */
export const DELIVER_NOW = `
local function sayNow(outbox, id)
  local at = tonumber(redis.call('ZSCORE', outbox, id))
  if not at or at % 1 == 0 then redis.call('ZADD', outbox, now, id) end
end
`

/**
 * Leases jobs that have something to say in Slack: first cards in fair order, then the longest due.
 * Every claim counts as an attempt whose outcome is not known until \`settleOutbox\` clears it, so a process
 * that dies while posting leaves a trace. A lease ends in half a millisecond, which tells it from a
 * mere wait for a turn.
 */
export const claimOutbox = script(
  z.tuple([z.coerce.number(), z.array(z.tuple([z.string(), flatHash, z.string().nullable()]))]),
  "outbox carding",
  "limit leaseMs jobPrefix promptPrefix",
  `${RECORD}
limit = tonumber(limit)
local lease = string.format('%.1f', now + tonumber(leaseMs) + 0.5)
local claimed = {}
local function claim(id)
  local hash = record(jobPrefix .. id)
  if #hash == 0 then
    redis.call('ZREM', outbox, id)
    redis.call('ZREM', carding, id)
    return
  end
  redis.call('ZADD', outbox, lease, id)
  -- A record that cannot be counted up cannot be read either.
  redis.pcall('HINCRBY', jobPrefix .. id, 'unsure', 1)
  local prompt = redis.pcall('GET', promptPrefix .. id)
  claimed[#claimed + 1] = {id, hash, wrongType(prompt) and '' or prompt}
end
for _, id in ipairs(redis.call('ZRANGE', carding, 0, limit * 4)) do
  if #claimed >= limit / 2 then break end
  local score = redis.call('ZSCORE', outbox, id)
  if score and tonumber(score) <= now then claim(id) end
end
for _, id in ipairs(redis.call('ZRANGEBYSCORE', outbox, '-inf', now, 'LIMIT', 0, limit)) do
  if #claimed >= limit then break end
  claim(id)
end
return {lease, claimed}
`,
)

/** The card is posted: the job may start, and its thread leads to it. Never overwrites a first card. */
export const cardPosted = script(
  z.number(),
  "job carding thread",
  "id ts threadMs",
  `
redis.call('ZREM', carding, id)
-- A job that is forgotten by now must not come back as a record of nothing but a card.
if redis.call('EXISTS', job) == 0 then return 0 end
redis.call('SET', thread, id, 'PX', threadMs)
local isFirst = redis.call('HSETNX', job, 'card', ts)${WAKE_DISPATCH}return isFirst
`,
)

/**
 * Writes what was read for a job that still waits, for as long as its words are kept anyway. 0 when it
 * does not wait any more, or its words were forgotten: reading takes a while, and neither may come back.
 */
export const savePrompt = script(
  z.number(),
  "job prompt",
  "words note",
  `
if redis.call('HGET', job, 'state') ~= 'queued' then return 0 end
if not redis.call('SET', prompt, words, 'XX', 'KEEPTTL') then return 0 end
if note ~= '' then redis.call('HSET', job, 'note', note) end
return 1
`,
)

/**
 * Gives a claimed job back. \`clear\`: the outcome of every attempt is known. The job leaves the outbox
 * when nothing changed meanwhile, else it is due again after \`gapMs\`; \`againMs\` forces a later turn.
 */
export const settleOutbox = script(
  z.number(),
  "job outbox",
  "id lease rev round closing clear againMs gapMs",
  `
if redis.call('EXISTS', job) == 0 then
  redis.call('ZREM', outbox, id)
  return 0
end
-- A closing reply that is in the thread is a fact, whoever holds the lease by now.
if closing ~= '' and (redis.call('HGET', job, 'round') or '1') == round then
  redis.call('HSETNX', job, 'closing', closing)
end
if tonumber(redis.call('ZSCORE', outbox, id) or '-1') ~= tonumber(lease) then return 0 end
for i = rest, #ARGV, 2 do
  if ARGV[i + 1] == '' then redis.call('HDEL', job, ARGV[i])
  else redis.call('HSET', job, ARGV[i], ARGV[i + 1]) end
end
if clear == '1' then redis.call('HDEL', job, 'unsure')
elseif clear == 'undo' then redis.call('HINCRBY', job, 'unsure', -1) end
if againMs ~= '' then
  redis.call('ZADD', outbox, math.ceil(now + tonumber(againMs)), id)
elseif redis.call('HGET', job, 'rev') ~= rev then
  redis.call('ZADD', outbox, now + tonumber(gapMs), id)
else
  redis.call('ZREM', outbox, id)
end
return 1
`,
)

/** Asks for a card to be written again because its place in the queue moved. */
export const touch = script(
  z.number(),
  "outbox",
  "",
  `
for i = rest, #ARGV do redis.call('ZADD', outbox, 'NX', now, ARGV[i]) end
return #ARGV - 1
`,
)

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
