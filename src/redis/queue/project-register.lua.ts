import { z } from "zod"
import { FIELDS } from "../safe-reads.lua.ts"
import { script } from "../script.ts"
import { FAIR_TAG } from "./fair-order.lua.ts"

/**
 * Notes that a living process has the projects in \`rest\` configured; \`messages\` ends the name of a
 * queue of messages. Gives those with something waiting
 * or being created that no process has had configured for so long; one that is seen for the first time
 * has the whole time before it.
 */
export const keepConfigured = script(
  z.array(z.string()),
  "busy busyMessages configured",
  "graceMs messages",
  `
local abandoned = {}
local ours = {}
for i = rest, #ARGV do
  ours[#ours + 1] = now
  ours[#ours + 1] = ARGV[i]
end
if #ours > 0 then redis.call('ZADD', configured, unpack(ours)) end
local projects = {}
for _, name in ipairs(redis.call('SMEMBERS', busy)) do projects[name] = true end
for _, queue in ipairs(redis.call('SMEMBERS', busyMessages)) do
  projects[string.sub(queue, 1, -1 - #messages)] = true
end
for name in pairs(projects) do
  redis.call('ZADD', configured, 'NX', now, name)
  local seen = tonumber(redis.call('ZSCORE', configured, name))
  if seen + tonumber(graceMs) <= now then abandoned[#abandoned + 1] = name end
end
return abandoned
`,
)

/** The same about one project that jobs still belong to. */
export const isAbandoned = script(
  z.number(),
  "configured",
  "name graceMs",
  `
redis.call('ZADD', configured, 'NX', now, name)
return tonumber(redis.call('ZSCORE', configured, name)) + tonumber(graceMs) <= now and 1 or 0
`,
)

/**
 * Takes over what waits and what the hour has spent under another name of the same queue: a process
 * with other settings, or of the version before, may go on using it for a while.
 */
export const adoptQueue = script(
  z.number(),
  "log wait last carding busy otherLog otherWait otherCreating",
  "project queue other jobPrefix waitingPrefix otherPrefix keepMs",
  `${FAIR_TAG}${FIELDS}
local spent = redis.call('ZRANGE', otherLog, 0, -1, 'WITHSCORES')
for i = 1, #spent, 2 do redis.call('ZADD', log, 'GT', spent[i + 1], spent[i]) end
if #spent > 0 then redis.call('PEXPIRE', log, keepMs) end
local ids = redis.call('ZRANGE', otherWait, 0, -1)
for _, id in ipairs(ids) do
  local was = fields(jobPrefix .. id, 'user', 'state')
  redis.call('ZREM', otherWait, id)
  if was[1] then redis.call('ZREM', otherPrefix .. was[1], id) end
  if was[2] == 'queued' then
    local waiting = waitingPrefix .. was[1]
    local tag = fairTag(last, was[1], redis.call('ZCARD', waiting))
    redis.call('ZADD', wait, tag, id)
    redis.call('ZADD', waiting, tag, id)
    redis.call('ZADD', carding, 'XX', tag, id)
    redis.call('HSET', jobPrefix .. id, 'project', project, 'tag', tag)
  end
end
if #ids > 0 then redis.call('SADD', busy, queue) end
if redis.call('ZCARD', otherCreating) == 0 then redis.call('SREM', busy, other) end
return #ids
`,
)
