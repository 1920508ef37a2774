import { z } from "zod"
import { FIELDS } from "../safe-reads.lua.ts"
import { script } from "../script.ts"
import { SURFACE } from "./surface.lua.ts"

/** Of a thread's record in Redis; a reader meets older versions after an upgrade. */
const VERSION = "1"

/** Has a thread looked at, unless somebody does just now, and looks again when done. */
const LOOK_NOW = `
local function lookNow(sessions, thread)
  local at = tonumber(redis.call('ZSCORE', sessions, thread))
  if not at or at % 1 == 0 then redis.call('ZADD', sessions, now, thread) end
end
`

/**
 * Tells a thread's session of one of its jobs. Its record lists the jobs that are not over; the first is
 * the one it is called by. A job without a card has nothing to show, and no thread perhaps.
 */
export const NOTE_SESSION = `${FIELDS}${SURFACE}${LOOK_NOW}
local function noteSession(sessions, surface, sessionPrefix, job, id, threadMs)
  local was = fields(job, 'state', 'channel', 'thread', 'card')
  if not was[2] or not was[4] then return end
  local thread = was[2] .. ':' .. (was[3] or was[4])
  local session, name = sessionPrefix .. thread, 'job:' .. id
  if was[1] == 'ended' then
    if fields(session, name)[1] then lookNow(sessions, thread) end
    return
  end
  if isOff(surface) then return end
  local isNew = redis.pcall('HSETNX', session, name, '1')
  if wrongType(isNew) then
    redis.call('DEL', session)
    isNew = redis.call('HSETNX', session, name, '1')
  end
  if isNew == 1 then
    redis.call('HSET', session, 'v', '${VERSION}')
    redis.call('HSETNX', session, 'first', id)
    lookNow(sessions, thread)
  end
  redis.call('PEXPIRE', session, threadMs)
end
`

/** What Slack should show, by the jobs themselves; those that are over or gone leave the record. */
const WANTED = `
local function wantedOf(session, jobPrefix)
  local wanted = 'active'
  for _, name in ipairs(redis.call('HKEYS', session)) do
    local id = string.match(name, '^job:(.+)$')
    if id then
      local state = fields(jobPrefix .. id, 'state')[1]
      if state and state ~= 'ended' then wanted = 'processing'
      else redis.call('HDEL', session, name) end
    end
  end
  return wanted
end
`

/** Slack shows what is true: looked at again while something runs, else nothing has to be known any more. */
const REST = `
local function settleDown(sessions, session, thread, wanted, lookAgainMs)
  if wanted == 'processing' then redis.call('ZADD', sessions, now + tonumber(lookAgainMs), thread)
  else
    redis.call('ZREM', sessions, thread)
    redis.call('DEL', session)
  end
end
`

const status = z.enum(["processing", "active"])

/**
 * Leases one thread for which Slack does not show the true state, or was told none. A lease ends in
 * half a millisecond, which tells it from a scheduled look. While the surface is off, no thread is
 * given out; one that Slack still shows as working waits until Slack may be tried again.
 */
export const claimSession = script(
  z.union([
    z.tuple([]).transform(() => undefined),
    z
      .tuple([
        z.string(),
        z.string(),
        status,
        status.or(z.literal("")),
        z.coerce.number(),
        z.string(),
      ])
      .transform(([thread, lease, wanted, shown, failures, first]) => {
        return { thread, lease, wanted, shown, failures, first }
      }),
  ]),
  "sessions surface surfaceTry",
  "leaseMs lookAgainMs tellAgainMs sessionPrefix jobPrefix",
  `${FIELDS}${SURFACE}${WANTED}${REST}
for _, thread in ipairs(redis.call('ZRANGEBYSCORE', sessions, '-inf', now, 'LIMIT', 0, 50)) do
  local session = sessionPrefix .. thread
  local was = fields(session, 'v', 'shown', 'failures', 'first', 'told')
  -- "Sessions in the processing status time out after one hour and automatically transition to active."
  local isFresh = was[2] ~= 'processing' or now - (tonumber(was[5]) or 0) < tonumber(tellAgainMs)
  local wanted = was[1] and wantedOf(session, jobPrefix)
  if was[1] ~= '${VERSION}' then redis.call('ZREM', sessions, thread)
  elseif wanted == was[2] and isFresh then settleDown(sessions, session, thread, wanted, lookAgainMs)
  elseif isOff(surface) then
    if was[2] == 'processing' then
      redis.call('ZADD', sessions, now + math.max(1, redis.call('PTTL', surface)), thread)
    else
      redis.call('ZREM', sessions, thread)
      redis.call('DEL', session)
    end
  elseif mayTry(surface, surfaceTry, leaseMs) then
    local lease = string.format('%.1f', now + tonumber(leaseMs) + 0.5)
    redis.call('ZADD', sessions, lease, thread)
    return {thread, lease, wanted, was[2] or '', was[3] or '0', was[4] or ''}
  else break end
end
return {}
`,
)

/**
 * Gives a thread back. \`shown\`: what Slack shows now, or as good as; \`learnt\`: Slack took it, and what it
 * said. \`againMs\` forces another look.
 */
export const settleSession = script(
  z.number(),
  "sessions session surface surfaceTry",
  "thread lease shown learnt againMs failures onMs lookAgainMs jobPrefix",
  `${FIELDS}${SURFACE}${WANTED}${REST}
redis.call('DEL', surfaceTry)
if learnt ~= '' and not isOff(surface) then
  redis.call('SET', surface, 'on ' .. string.format('%.0f', now) .. ' ' .. learnt, 'PX', onMs)
end
if tonumber(redis.call('ZSCORE', sessions, thread) or '-1') ~= tonumber(lease) then return 0 end
if fields(session, 'v')[1] ~= '${VERSION}' then return redis.call('ZREM', sessions, thread) end
if shown ~= '' then
  redis.call('HSET', session, 'shown', shown, 'told', now)
  redis.call('HDEL', session, 'failures')
end
if failures ~= '' then redis.call('HSET', session, 'failures', failures) end
local wanted = wantedOf(session, jobPrefix)
if againMs ~= '' then redis.call('ZADD', sessions, math.ceil(now + tonumber(againMs)), thread)
elseif wanted == shown then settleDown(sessions, session, thread, wanted, lookAgainMs)
else redis.call('ZADD', sessions, now, thread) end
return 1
`,
)

/** Slack is told once more what is true of a thread, whatever it was told before. */
export const showAgain = script(
  z.number(),
  "sessions session surface",
  "thread threadMs",
  `${FIELDS}${SURFACE}${LOOK_NOW}
if isOff(surface) then return 0 end
if wrongType(redis.pcall('HDEL', session, 'shown', 'failures')) then redis.call('DEL', session) end
redis.call('HSET', session, 'v', '${VERSION}')
redis.call('PEXPIRE', session, threadMs)
lookNow(sessions, thread)
return 1
`,
)
