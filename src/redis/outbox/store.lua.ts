import { z } from "zod"
import { flatHash } from "../replies.ts"
import { RECORD } from "../safe-reads.lua.ts"
import { WAKE_QUEUE_OF } from "../schedules/wake-ups.lua.ts"
import { script } from "../script.ts"
import { NOTE_SESSION } from "../sessions/store.lua.ts"

/**
 * An ended job has its closing reply to say, which people wait for: it does not stand behind the turn
 * that its card waits for. One that is leased is left to its holder.
 */
export const DELIVER_NOW = `
local function deliverNow(outbox, id)
  local at = tonumber(redis.call('ZSCORE', outbox, id))
  if not at or at % 1 == 0 then redis.call('ZADD', outbox, now, id) end
end
`

/**
 * A person did something about a job and waits to see it on the card: it goes before all that the bot
 * has to say of its own accord.
 */
export const ANSWER_NOW = `${DELIVER_NOW}
local function answerNow(outbox, answers, id)
  deliverNow(outbox, id)
  redis.call('ZADD', answers, now, id)
end
`

/**
 * Leases jobs that have something to say in Slack: answers to people, then first cards in fair order, then the
 * longest due.
 * Every claim counts as an attempt whose outcome is not known until \`settleOutbox\` clears it, so a process
 * that dies while posting leaves a trace. A lease ends in half a millisecond, which tells it from a
 * mere wait for a turn.
 */
export const claimOutbox = script(
  z.tuple([
    z.coerce.number(),
    z.array(z.tuple([z.string(), flatHash, z.string().nullable(), z.coerce.boolean()])),
  ]),
  "outbox carding answers",
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
    redis.call('ZREM', answers, id)
    return
  end
  redis.call('ZADD', outbox, lease, id)
  -- A record that cannot be counted up cannot be read either.
  redis.pcall('HINCRBY', jobPrefix .. id, 'unsure', 1)
  local prompt = redis.pcall('GET', promptPrefix .. id)
  local answer = redis.call('ZSCORE', answers, id) and 1 or 0
  claimed[#claimed + 1] = {id, hash, wrongType(prompt) and '' or prompt, answer}
end
for _, id in ipairs(redis.call('ZRANGE', answers, 0, limit * 4)) do
  local score = redis.call('ZSCORE', outbox, id)
  if not score then redis.call('ZREM', answers, id)
  elseif tonumber(score) <= now and #claimed < limit then claim(id) end
end
local most = #claimed + limit / 2
for _, id in ipairs(redis.call('ZRANGE', carding, 0, limit * 4)) do
  if #claimed >= most or #claimed >= limit then break end
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
  `${WAKE_QUEUE_OF}
redis.call('ZREM', carding, id)
-- A job that is forgotten by now must not come back as a record of nothing but a card.
if redis.call('EXISTS', job) == 0 then return 0 end
redis.call('SET', thread, id, 'PX', threadMs)
local isFirst = redis.call('HSETNX', job, 'card', ts)
wakeQueueOf(job)
return isFirst
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
 * when nothing changed meanwhile, else it is due again after \`gapMs\`, with an answer to a person at
 * once; \`againMs\` forces a later turn. Whoever writes all that people read of a job passes here, and
 * so the thread's session hears of it here, after it. \`notes\` is what the audit does not know yet, as JSON:
 * each a list of names and values. \`audited\` is the mark that says afterwards that it does.
 */
export const settleOutbox = script(
  z.number(),
  "audit job outbox answers thread sessions surface",
  "id lease rev round closing reminder clear againMs gapMs failures sessionPrefix threadMs notes audited",
  `${NOTE_SESSION}
if redis.call('EXISTS', job) == 0 then
  redis.call('ZREM', outbox, id)
  redis.call('ZREM', answers, id)
  return 0
end
-- A closing reply that is in the thread is a fact, whoever holds the lease by now.
if closing ~= '' and (redis.call('HGET', job, 'round') or '1') == round then
  redis.call('HSETNX', job, 'closing', closing)
end
if reminder ~= '' then redis.call('HSET', job, 'reminder', reminder) end
if tonumber(redis.call('ZSCORE', outbox, id) or '-1') ~= tonumber(lease) then
  -- Whoever held it next may have written first, and Slack then shows the older of two edits.
  for i = rest, closing == '' and #ARGV or 0, 2 do
    local counter = ARGV[i] == 'shown' and 'rev' or ARGV[i] == 'laterShown' and 'later'
    if counter then
      redis.pcall('HINCRBY', job, counter, 1)
      redis.call('ZADD', outbox, 'NX', now, id)
    end
  end
  return 0
end
if notes ~= '' and redis.call('HEXISTS', job, 'forgotten') == 0 then
  for _, note in ipairs(cjson.decode(notes)) do redis.call('XADD', audit, '*', unpack(note)) end
  redis.call('HSET', job, 'audited', audited)
end
for i = rest, #ARGV, 2 do
  if ARGV[i + 1] == '' then redis.call('HDEL', job, ARGV[i])
  else redis.call('HSET', job, ARGV[i], ARGV[i + 1]) end
end
if failures ~= '' then redis.call('HSET', job, 'failures', failures)
elseif clear ~= 'undo' then redis.call('HDEL', job, 'failures') end
if clear == '1' then redis.call('HDEL', job, 'unsure')
elseif clear == 'undo' then redis.call('HINCRBY', job, 'unsure', -1) end
-- Only what certainly was written comes before its session.
if clear == '1' then noteSession(sessions, surface, sessionPrefix, job, id, threadMs) end
if againMs ~= '' then
  redis.call('ZADD', outbox, math.ceil(now + tonumber(againMs)), id)
elseif redis.call('HGET', job, 'rev') ~= rev then
  local waited = redis.call('ZSCORE', answers, id)
  redis.call('ZADD', outbox, waited and now or now + tonumber(gapMs), id)
else
  redis.call('ZREM', outbox, id)
  redis.call('ZREM', answers, id)
  -- All is said: its thread leads to it for as long as it is kept, and no longer.
  local leftMs = redis.call('PTTL', job)
  if leftMs > 0 and redis.pcall('GET', thread) == id then redis.call('PEXPIRE', thread, leftMs) end
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
