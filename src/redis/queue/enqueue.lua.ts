import { z } from "zod"
import { CANCELLED_MS, JOB_PREFIX, KEEP_MS, keys, SEEN_MS, THREAD_MS } from "../keys.ts"
import { ANSWER_NOW } from "../outbox/store.lua.ts"
import { FIELDS } from "../safe-reads.lua.ts"
import { WAKE_DISPATCH, WAKE_IF_FIRST } from "../schedules/wake-ups.lua.ts"
import { script } from "../script.ts"
import { FAIR_TAG } from "./fair-order.lua.ts"

/** The product's rule: the same prompt within 15 minutes is asked about first. */
const SAME_MS = 15 * 60_000

/** Words of all jobs of one person, bytes: 25 of the longest messages that Slack takes, with context. */
const MOST_WORDS_BYTES = 4_000_000

/** What is the same for every request. In the script's text, as each argument costs both ends. */
const CONSTANTS = `
local jobPrefix, promptPrefix, mostBytes = '${JOB_PREFIX}', '${keys.prompt("")}', '${MOST_WORDS_BYTES}'
local seenMs, sameMs, threadMs = '${SEEN_MS}', '${SAME_MS}', '${THREAD_MS}'
local keepMs, briefMs = '${KEEP_MS}', '${CANCELLED_MS}'
`

/**
 * May more be stored? Redis with `noeviction` refuses every write once its memory is full, even those
 * that end jobs, so new requests are turned away before that. The answer is kept for two seconds, as INFO
 * counts the memory each time.
 */
const HAS_ROOM = `
local function hasRoom(room, known)
  -- Whatever else it was changed to by hand turns nobody away.
  if known then return known ~= '0' end
  local info = redis.pcall('INFO', 'memory')
  if type(info) ~= 'string' then info = '' end
  local function fact(name) return tonumber(string.match(info, '\\n' .. name .. ':(%d+)')) or 0 end
  local most = fact('maxmemory')
  if most == 0 then most = fact('total_system_memory') end
  local has = most == 0 or fact('used_memory') < most * 0.9
  redis.call('SET', room, has and '1' or '0', 'PX', 2000)
  return has
end
`

/**
 * Is a job over, is its pull request open, and how did it end? A job is not over while Slack is still to be
 * told something, as its card is then written again, words and all; but whoever asks and cancels could pile
 * up any number of those. The card of a followed pull request is written again when somebody merges or
 * closes it.
 */
const OVER = `
local function overAndFollowed(jobPrefix, id, outbox)
  local was = fields(jobPrefix .. id, 'state', 'ending', 'pull', 'pullState')
  local over = (was[1] or 'ended') == 'ended' and (was[2] == 'cancelled' or not redis.call('ZSCORE', outbox, id))
  local followed = was[3] and was[4] ~= 'merged' and was[4] ~= 'closed' or false
  return over, followed, was[2]
end
`

/**
 * Do all prompts of a person fit into the bytes they may use? The oldest jobs that are over make room,
 * those with an open pull request last. Short prompts are always accepted: the person's number of jobs bounds them.
 */
const FITS = `
local function fits(userJobs, words, mostBytes, jobPrefix, promptPrefix, outbox)
  if #words <= 4096 then return true end
  local mine = redis.pcall('ZRANGE', userJobs, 0, -1)
  if wrongType(mine) then return true end
  local total, sizes = #words, {}
  for i, id in ipairs(mine) do
    local size = redis.pcall('STRLEN', promptPrefix .. id)
    sizes[i] = wrongType(size) and 0 or size
    total = total + sizes[i]
  end
  local old = {}
  for _, open in ipairs(total > mostBytes and {false, true} or {}) do
    for i, id in ipairs(mine) do
      if total <= mostBytes then break end
      local over, followed = overAndFollowed(jobPrefix, id, outbox)
      if sizes[i] > 0 and over and followed == open then
        old[#old + 1] = promptPrefix .. id
        total = total - sizes[i]
      end
    end
  end
  if total > mostBytes then return false end
  if #old > 0 then redis.call('DEL', unpack(old)) end
  return true
end
`

/**
 * Makes a request durable, once: the same delivery gives the same answer however often it comes.
 * It checks in this order whether the delivery was seen before, whether its person was forgotten since it
 * was deferred, whether they made the same request within 15 minutes, whether they have too many waiting,
 * whether Redis has room, and whether this person's prompts are too long together.
 */
export const enqueue = script(
  z.union([
    z.tuple([z.literal("queued"), z.string()]),
    z.tuple([z.literal("duplicate"), z.string()]),
    z.tuple([z.literal("full"), z.coerce.string()]),
    z.tuple([z.enum(["no_room", "too_much", "forgotten"]), z.string()]),
  ]),
  "seen same job prompt userJobs wait last creating carding outbox thread reply busy room waiting",
  "id user max anyway threaded words replyUrl project queue deferred",
  `${CONSTANTS}${FAIR_TAG}${FIELDS}${OVER}${HAS_ROOM}${FITS}${WAKE_IF_FIRST}
local known = redis.call('MGET', seen, same, room)
if known[1] then return {'queued', known[1]} end
if deferred ~= '' and redis.call('EXISTS', deferred) == 0 then return {'forgotten', ''} end
local other = anyway == '' and known[2]
if other then
  local state = fields(jobPrefix .. other, 'state', 'ending')
  local spent = state[1] and state[2] ~= 'cancelled' and state[2] ~= 'no_card'
  if spent then return {'duplicate', other} end
end
local at = string.format('%.0f', now)
-- A person may have so many waiting, whichever projects they are for. Mostly nothing is, anywhere. The
-- queues are too many for one call where there are thousands of projects.
local count, all, found = 0, 0, 0
for i = further - 1, #KEYS, 1000 do
  found = found + redis.call('EXISTS', unpack(KEYS, i, math.min(i + 999, #KEYS)))
end
if found > 0 then
  count = redis.call('ZCARD', waiting)
  all = count
  if found > 1 or count == 0 then
    for i = further, #KEYS do all = all + redis.call('ZCARD', KEYS[i]) end
  end
end
if all >= tonumber(max) then return {'full', tostring(all)} end
if not hasRoom(room, known[3]) then return {'no_room', ''} end
if not fits(userJobs, words, tonumber(mostBytes), jobPrefix, promptPrefix, outbox) then
  return {'too_much', ''}
end

-- Tags start again from zero when the queue is empty, so that the hash of people stays small.
if redis.call('ZCARD', wait) == 0 and redis.call('ZCARD', creating) == 0 then redis.call('DEL', last) end
local tag = fairTag(last, user, count)

local written = {
  'v', '1', 'state', 'queued', 'rev', '1', 'project', project, 'user', user, 'at', at, 'tag', tag,
}
for i = rest, #ARGV do written[#written + 1] = ARGV[i] end
redis.call('HSET', job, unpack(written))
redis.call('SET', prompt, words)
-- Only a list to show: it must not stand in the way of a request.
if not wrongType(redis.pcall('ZADD', userJobs, at, id)) then
  -- The last hundred, and whatever still waits, runs or has an open pull request that is followed: it must
  -- not drop out behind what is over.
  local extra = redis.call('ZCARD', userJobs) - 100
  if extra > 0 then
    for _, old in ipairs(redis.call('ZRANGE', userJobs, 0, 19)) do
      local over, followed, ending = overAndFollowed(jobPrefix, old, outbox)
      if over and not followed and extra > 0 then
        extra = extra - redis.call('ZREM', userJobs, old)
        redis.call('DEL', promptPrefix .. old)
        -- Whoever asks and cancels spends nothing: no ceiling bounds how many such records there are.
        if ending == 'cancelled' and redis.call('PTTL', jobPrefix .. old) > tonumber(briefMs) then
          redis.call('PEXPIRE', jobPrefix .. old, briefMs)
        end
      end
    end
    redis.call('ZREMRANGEBYRANK', userJobs, 0, -1001)
  end
end
redis.call('PEXPIRE', userJobs, keepMs)
redis.call('ZADD', waiting, tag, id)
redis.call('SADD', busy, queue)
redis.call('ZADD', carding, tag, id)
redis.call('ZADD', outbox, at, id)
wakeIfFirst(outbox, id)
redis.call('ZADD', wait, tag, id)
if threaded ~= '' then redis.call('SET', thread, id, 'PX', threadMs) end
if replyUrl ~= '' then redis.call('SET', reply, replyUrl, 'PX', 1800000) end
-- Last: a request that could not be written down was not seen, so that a repetition is heard.
redis.call('SET', same, id, 'PX', sameMs)
redis.call('SET', seen, id, 'PX', seenMs)
return {'queued', id}
`,
  { wakesItself: true },
)

/** Moves a waiting job to another project's queue, at its end. 0 if it no longer waits or is there. */
export const moveQueued = script(
  z.number(),
  "job wait waiting newWait newWaiting newLast carding outbox answers busy",
  "id user project from",
  `${FAIR_TAG}${ANSWER_NOW}
local was = redis.call('HMGET', job, 'state', 'project')
if was[1] ~= 'queued' or was[2] ~= from or from == project then return 0 end
redis.call('ZREM', wait, id)
redis.call('ZREM', waiting, id)
local tag = fairTag(newLast, user, redis.call('ZCARD', newWaiting))
redis.call('ZADD', newWait, tag, id)
redis.call('ZADD', newWaiting, tag, id)
redis.call('SADD', busy, project)
redis.call('ZADD', carding, 'XX', tag, id)
redis.call('HSET', job, 'project', project, 'tag', tag)
-- In another project there is no job that a message could go to.
redis.call('HDEL', job, 'place', 'starts', 'paused', 'tried', 'follows', 'pr')
redis.call('HINCRBY', job, 'rev', 1)
answerNow(outbox, answers, id)${WAKE_DISPATCH}return 1
`,
)

/**
 * Ends a job that waits: cancelled, or no card could be posted. 1 if it did, 0 if it no longer waits.
 * Words that are to be kept for no time are forgotten in the same step, so that no card shows them again.
 */
export const endQueued = script(
  z.number(),
  "job wait waiting carding outbox answers prompt last",
  "id ending detail keepMs wordsMs",
  `${ANSWER_NOW}
local was = redis.call('HMGET', job, 'state', 'user')
if was[1] ~= 'queued' then return 0 end
redis.call('ZREM', wait, id)
redis.call('ZREM', waiting, id)
-- What was taken back does not count against the next request of that person.
local started = tonumber(redis.call('HGET', last, '')) or 0
local latest = redis.call('ZRANGE', waiting, -1, -1, 'WITHSCORES')[2]
local tag = math.max(started, tonumber(latest or '0'))
if tag < (tonumber(redis.call('HGET', last, was[2])) or 0) then redis.call('HSET', last, was[2], tag) end
redis.call('ZREM', carding, id)
redis.call('HSET', job, 'state', 'ended', 'ending', ending, 'ended', now)
if detail ~= '' then redis.call('HSET', job, 'detail', detail) end
redis.call('HINCRBY', job, 'rev', 1)
redis.call('PEXPIRE', job, keepMs)
if wordsMs == '0' then
  redis.call('DEL', prompt)
  redis.call('HSET', job, 'forgotten', '1')
else redis.call('PEXPIRE', prompt, wordsMs) end
if ending == 'cancelled' then answerNow(outbox, answers, id)
else redis.call('ZADD', outbox, 'NX', now, id) end
return 1
`,
)
