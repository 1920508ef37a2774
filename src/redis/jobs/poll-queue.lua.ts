import { z } from "zod"
import { ANSWER_NOW, DELIVER_NOW } from "../outbox/store.lua.ts"
import { WRONG_TYPE } from "../safe-reads.lua.ts"
import { json, script } from "../script.ts"

/**
 * Leases up to `limit` jobs whose poll is due and reads the named fields of each, first its version;
 * an absent one is false; all with the moment of it. The lease is the fencing token: a score in `due` that ends in half a
 * millisecond, which tells it from a mere next poll.
 */
export const claimDue = script(
  z.tuple([z.number(), z.string(), json(z.array(z.tuple([z.string(), z.array(z.unknown())])))]),
  "due",
  "limit leaseMs jobPrefix",
  `${WRONG_TYPE}
local lease = string.format('%.1f', now + tonumber(leaseMs) + 0.5)
local claimed, scores = {}, {}
for _, id in ipairs(redis.call('ZRANGEBYSCORE', due, '-inf', now, 'LIMIT', 0, limit)) do
  local values = redis.pcall('HMGET', jobPrefix .. id, unpack(ARGV, rest))
  -- Not a record of any version, but there: it is told of as such, not forgotten.
  local broken = wrongType(values) or not values[1] and redis.call('EXISTS', jobPrefix .. id) == 1
  if broken then values = {'none'} end
  if values[1] then
    claimed[#claimed + 1] = {id, values}
    scores[#scores + 1] = lease
    scores[#scores + 1] = id
  else
    redis.call('ZREM', due, id)
  end
end
if #scores == 0 then return {now, lease, '[]'} end
redis.call('ZADD', due, unpack(scores))
return {now, lease, cjson.encode(claimed)}
`,
)

/** Sets the next poll of jobs that have nothing new, in pairs of id and wait, where the lease still holds. */
export const reschedule = script(
  z.number(),
  "due",
  "lease",
  `
local scores = {}
for i = rest, #ARGV, 2 do
  if tonumber(redis.call('ZSCORE', due, ARGV[i])) == tonumber(lease) then
    scores[#scores + 1] = now + tonumber(ARGV[i + 1])
    scores[#scores + 1] = ARGV[i]
  end
end
if #scores > 0 then redis.call('ZADD', due, unpack(scores)) end
return #scores / 2
`,
)

/** Writes what a poll found. With an ending the job leaves \`due\`. 0 when the lease was lost. */
export const recordObservation = script(
  z.number(),
  "job due outbox prompt",
  "id lease waitMs ending detail prLink branch turned misses keepMs pullKeepMs",
  `${DELIVER_NOW}
if tonumber(redis.call('ZSCORE', due, id)) ~= tonumber(lease) then return 0 end
-- Forgotten while it was polled: nothing of it comes back.
if redis.call('EXISTS', job) == 0 then
  redis.call('ZREM', due, id)
  return 0
end
local changed = false
redis.call('HSET', job, 'misses', misses)
if turned ~= '' then redis.call('HSET', job, 'turned', turned) end
if prLink ~= '' and redis.call('HGET', job, 'pr') ~= prLink then
  redis.call('HSET', job, 'pr', prLink)
  changed = true
end
if ending ~= '' then
  redis.call('HSET', job, 'state', 'ended', 'ending', ending, 'ended', now)
  if detail ~= '' then redis.call('HSET', job, 'detail', detail) end
  if branch ~= '' then redis.call('HSET', job, 'branch', branch) end
  redis.call('ZREM', due, id)
  -- Its pull request is followed for longer than its words are kept.
  redis.call('PEXPIRE', job, redis.call('HEXISTS', job, 'pull') == 1 and pullKeepMs or keepMs)
  redis.call('PEXPIRE', prompt, keepMs)
  changed = true
else
  redis.call('ZADD', due, now + tonumber(waitMs), id)
end
if changed then
  redis.pcall('HINCRBY', job, 'rev', 1)
  if ending ~= '' then deliverNow(outbox, id) else redis.call('ZADD', outbox, 'NX', now, id) end
end
return 1
`,
)

/** Ends the following of an active job at a person's wish. */
export const unfollow = script(
  z.number(),
  "job due outbox answers prompt",
  "id keepMs",
  `${ANSWER_NOW}
if redis.call('HGET', job, 'state') ~= 'active' then return 0 end
redis.call('ZREM', due, id)
redis.call('HSET', job, 'state', 'ended', 'ending', 'unfollowed', 'ended', now)
redis.call('HINCRBY', job, 'rev', 1)
redis.call('PEXPIRE', job, keepMs)
redis.call('PEXPIRE', prompt, keepMs)
answerNow(outbox, answers, id)
return 1
`,
)

/** Follows an ended job again, from now; it will have one more closing reply. */
export const reopen = script(
  z.number(),
  "job due outbox answers prompt thread",
  "id round threadMs",
  `${ANSWER_NOW}
local was = redis.call('HMGET', job, 'state', 'agent', 'round')
if was[1] ~= 'ended' or not was[2] or (was[3] or '1') ~= round then return 0 end
redis.call('HSET', job, 'state', 'active', 'started', now, 'misses', 0)
-- The message, if it was one, is long past: its work has begun or never will.
if redis.call('HEXISTS', job, 'follows') == 1 then redis.call('HSET', job, 'turned', '1') end
redis.call('HINCRBY', job, 'rev', 1)
redis.call('HSET', job, 'round', tonumber(round) + 1)
redis.call('HDEL', job, 'ending', 'ended', 'closing', 'detail')
redis.call('PERSIST', job)
redis.call('PERSIST', prompt)
if redis.pcall('GET', thread) == id then redis.call('PEXPIRE', thread, threadMs) end
redis.call('ZADD', due, now, id)
answerNow(outbox, answers, id)
return 1
`,
)

/** Polls an active job at once. Being polled right now counts as that; \`recent\` within \`gapMs\`. */
export const pollNow = script(
  z.union([z.literal("now"), z.literal("recent"), z.literal("not_active")]),
  "job due turn",
  "id gapMs",
  `
if redis.call('HGET', job, 'state') ~= 'active' then return 'not_active' end
if not redis.call('SET', turn, '1', 'NX', 'PX', gapMs) then return 'recent' end
local score = tonumber(redis.call('ZSCORE', due, id) or '0')
local leased = score % 1 ~= 0
if not leased and score > now then redis.call('ZADD', due, now, id) end
return 'now'
`,
)
