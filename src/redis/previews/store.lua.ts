import { z } from "zod"
import { script } from "../script.ts"

/** Card and closing reply are written again. */
const NEWS = `
local function tell(job, outbox, id)
  redis.call('HINCRBY', job, 'rev', 1)
  redis.call('HINCRBY', job, 'later', 1)
  redis.call('ZADD', outbox, 'NX', now, id)
end
`

/**
 * Somebody wants a preview of an ended job's branch. 0 where one is on its way, where there is no branch,
 * and where another was built since the one that the person saw; \`after\`: when that was asked for, or 0.
 */
export const askPreview = script(
  z.number(),
  "job previews outbox",
  "id by after",
  `${NEWS}
if redis.call('HGET', job, 'state') ~= 'ended' then return 0 end
if redis.call('HEXISTS', job, 'branch') == 0 then return 0 end
if redis.call('ZSCORE', previews, id) then return 0 end
local known = redis.call('HGET', job, 'preview')
local isRead, last = pcall(cjson.decode, known or '{}')
if isRead and (tonumber(last.at) or 0) ~= tonumber(after) then return 0 end
redis.call('HSET', job, 'preview', cjson.encode({state = 'asked', by = by, at = now}))
redis.call('ZADD', previews, now, id)
tell(job, outbox, id)
return 1
`,
)

/**
 * A slot for one build in the rolling minute of a key. The last `kept` of `cap` slots go only to people
 * who have none in it, so that nobody's bulk locks the others out. 0, or how long this person has to wait,
 * ms. Asked again for the same `slot` it is 0 as well.
 */
export const takePreviewSlot = script(
  z.number(),
  "log",
  "slot user cap kept windowMs",
  `
cap, kept, windowMs = tonumber(cap), tonumber(kept), tonumber(windowMs)
local name = slot .. ' ' .. user
if redis.call('ZSCORE', log, name) then return 0 end
redis.call('ZREMRANGEBYSCORE', log, '-inf', now - windowMs)
local entries = redis.call('ZRANGE', log, 0, -1, 'WITHSCORES')
local used, mine = #entries / 2, nil
for n = 1, used do
  if string.sub(entries[2 * n - 1], -#user - 1) == ' ' .. user then mine = n end
end
local function leavesIn(n)
  return math.max(1, math.ceil(tonumber(entries[2 * n]) + windowMs - now))
end
local most = mine and cap - kept or cap
if used >= most then
  local waitMs = leavesIn(used - most + 1)
  return mine and math.min(waitMs, leavesIn(mine)) or waitMs
end
redis.call('ZADD', log, now, name)
redis.call('PEXPIRE', log, windowMs)
return 0
`,
)

/** Leases jobs whose preview has a next step due. */
export const claimPreviews = script(
  z.tuple([z.number(), z.string(), z.array(z.string())]),
  "previews",
  "limit leaseMs",
  `
local lease = string.format('%.1f', now + tonumber(leaseMs) + 0.5)
local ids = redis.call('ZRANGEBYSCORE', previews, '-inf', now, 'LIMIT', 0, limit)
for _, id in ipairs(ids) do redis.call('ZADD', previews, lease, id) end
return {now, lease, ids}
`,
)

/**
 * Writes a preview's next state. \`waitMs\`: until its next step; empty where there is none, \`held\`
 * where the caller goes on with it. \`absent\` and \`over\` take the preview away; the first, for a
 * deployment that has none to offer, the branch as well. 0 when the lease was lost.
 */
export const recordPreview = script(
  z.number(),
  "job previews outbox",
  "id lease value waitMs isNews",
  `${NEWS}
if tonumber(redis.call('ZSCORE', previews, id)) ~= tonumber(lease) then return 0 end
if waitMs == '' or redis.call('EXISTS', job) == 0 then redis.call('ZREM', previews, id)
elseif waitMs ~= 'held' then redis.call('ZADD', previews, now + math.ceil(tonumber(waitMs)), id) end
if redis.call('EXISTS', job) == 0 then return 0 end
if value == 'absent' then redis.call('HDEL', job, 'preview', 'branch')
elseif value == 'over' then redis.call('HDEL', job, 'preview')
else redis.call('HSET', job, 'preview', value) end
if isNews == '1' then tell(job, outbox, id) end
return 1
`,
)
