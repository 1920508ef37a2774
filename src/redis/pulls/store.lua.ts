import { z } from "zod"
import { flatHash } from "../replies.ts"
import { RECORD } from "../safe-reads.lua.ts"
import { script } from "../script.ts"

/**
 * Follows a pull request for one more job, which shows at once what is known of it. The next poll is
 * soon, as the job may have changed it; a lease is left alone. The names and values in \`rest\` are those of a new record.
 */
export const watchPull = script(
  z.number(),
  "job pull jobs pulls",
  "id jobId firstMs keepMs",
  `
if redis.call('EXISTS', job) == 0 then return 0 end
if redis.call('EXISTS', pull) == 0 then
  redis.call('HSET', pull, 'since', now)
  for i = rest, #ARGV, 2 do redis.call('HSET', pull, ARGV[i], ARGV[i + 1]) end
end
-- A follow-up may come weeks after the first job: it is followed for as long as that was.
if redis.call('SADD', jobs, jobId) == 1 then redis.call('HSET', pull, 'since', now) end
redis.call('PEXPIRE', pull, keepMs)
redis.call('PEXPIRE', jobs, keepMs)
-- What is known of the one before is not so of this one, such as that it is merged.
if redis.call('HGET', job, 'pull') ~= id then redis.call('HDEL', job, 'pullState', 'pullBy') end
redis.call('HSET', job, 'pull', id)
local known = redis.call('HMGET', pull, 'state', 'by')
if known[1] then redis.call('HSET', job, 'pullState', known[1]) end
if known[1] and known[2] then redis.call('HSET', job, 'pullBy', known[2]) end
local at = tonumber(redis.call('ZSCORE', pulls, id))
local soon = now + tonumber(firstMs)
if not at or at % 1 == 0 and at > soon then redis.call('ZADD', pulls, soon, id) end
return 1
`,
)

/** Leases pull requests whose poll is due; as a job's, a lease ends in half a millisecond. */
export const claimPulls = script(
  z.tuple([z.number(), z.string(), z.array(z.tuple([z.string(), flatHash]))]),
  "pulls",
  "limit leaseMs pullPrefix",
  `${RECORD}
local lease = string.format('%.1f', now + tonumber(leaseMs) + 0.5)
local claimed = {}
for _, id in ipairs(redis.call('ZRANGEBYSCORE', pulls, '-inf', now, 'LIMIT', 0, limit)) do
  local hash = record(pullPrefix .. id)
  if #hash == 0 then
    redis.call('ZREM', pulls, id)
  else
    redis.call('ZADD', pulls, lease, id)
    claimed[#claimed + 1] = {id, hash}
  end
end
return {now, lease, claimed}
`,
)

/**
 * Writes what a poll found. What people see goes to every job of the pull request, whose card and closing
 * reply are then edited; \`remind\` names the job in whose thread they are reminded, once for the pull
 * request. Without \`waitMs\` it is not followed any more. 0 when the lease was lost.
 */
export const recordPull = script(
  z.number(),
  "pull jobs pulls outbox",
  "id lease waitMs state by remind jobPrefix",
  `
if tonumber(redis.call('ZSCORE', pulls, id)) ~= tonumber(lease) then return 0 end
if redis.call('EXISTS', pull) == 0 or waitMs == '' then redis.call('ZREM', pulls, id)
else redis.call('ZADD', pulls, now + math.ceil(tonumber(waitMs)), id) end
if redis.call('EXISTS', pull) == 0 then return 0 end
for i = rest, #ARGV, 2 do
  if ARGV[i + 1] == '' then redis.call('HDEL', pull, ARGV[i])
  else redis.call('HSET', pull, ARGV[i], ARGV[i + 1]) end
end
redis.call('HSET', pull, 'looked', now)
if state ~= '' and redis.call('HGET', pull, 'state') ~= state then
  redis.call('HSET', pull, 'state', state)
  for _, jobId in ipairs(redis.call('SMEMBERS', jobs)) do
    local job = jobPrefix .. jobId
    -- The service may have reported another one since.
    if redis.call('HGET', job, 'pull') == id then
      redis.call('HSET', job, 'pullState', state)
      if by ~= '' then redis.call('HSET', job, 'pullBy', by) else redis.call('HDEL', job, 'pullBy') end
      -- A reminder that is not posted yet would be about what is no longer so. One of which nothing was
      -- sent may come another time.
      if redis.call('HGET', job, 'reminder') == 'due' then
        redis.call('HDEL', job, 'reminder')
        if (redis.call('HGET', job, 'unsure') or '0') == '0' then redis.call('HDEL', pull, 'reminded') end
      end
      redis.call('HINCRBY', job, 'rev', 1)
      redis.call('HINCRBY', job, 'later', 1)
      redis.call('ZADD', outbox, 'NX', now, jobId)
    end
  end
end
-- A job that is forgotten by now must not come back as a record of nothing but a reminder.
local isKept = remind ~= '' and redis.call('EXISTS', jobPrefix .. remind) == 1
if isKept and redis.call('HSETNX', pull, 'reminded', '1') == 1 then
  redis.call('HSET', jobPrefix .. remind, 'reminder', 'due')
  redis.call('HINCRBY', jobPrefix .. remind, 'rev', 1)
  redis.call('ZADD', outbox, 'NX', now, remind)
end
return 1
`,
)

/** Somebody wants to see the pull requests in \`rest\`: those not polled within \`gapMs\` are due. */
export const pollPullsSoon = script(
  z.number(),
  "pulls",
  "gapMs pullPrefix",
  `
for i = rest, #ARGV do
  local at = tonumber(redis.call('ZSCORE', pulls, ARGV[i]))
  local looked = tonumber(redis.call('HGET', pullPrefix .. ARGV[i], 'looked')) or 0
  if at and at % 1 == 0 and at > now and looked + tonumber(gapMs) <= now then
    redis.call('ZADD', pulls, now, ARGV[i])
  end
end
return 1
`,
)
