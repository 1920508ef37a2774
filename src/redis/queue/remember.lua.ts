import { z } from "zod"
import { FIELDS } from "../safe-reads.lua.ts"
import { script } from "../script.ts"

/**
 * A running process reports its creations of the hour, each as job, user, token and age in ms.
 * Where Redis lost the log, the hour is kept again. Where it lost the grant alone (the last moment
 * before a crash), the job would be started a second time: it is taken out of the queue and in
 * flight again under its old token. Returns the ids of those, and of those that Redis still takes
 * to be in flight.
 */
export const remember = script(
  z.array(z.string()),
  "log wait creating outbox",
  "deadlineMs windowMs jobPrefix waitingPrefix",
  `${FIELDS}
local inFlight = {}
for i = rest, #ARGV, 4 do
  local id, user, token, age = ARGV[i], ARGV[i + 1], ARGV[i + 2], tonumber(ARGV[i + 3])
  redis.call('ZADD', log, 'GT', math.ceil(now - age), id .. ' ' .. user)
  local was = fields(jobPrefix .. id, 'state', 'token')
  if was[1] == 'queued' then
    redis.call('ZREM', wait, id)
    redis.call('ZREM', waitingPrefix .. user, id)
    redis.call('ZADD', creating, now + tonumber(deadlineMs), id)
    redis.call('HSET', jobPrefix .. id, 'state', 'creating', 'token', token)
    redis.pcall('HINCRBY', jobPrefix .. id, 'rev', 1)
    redis.call('HDEL', jobPrefix .. id, 'place', 'starts', 'paused', 'tried')
    redis.call('ZADD', outbox, 'NX', now, id)
  end
  if was[1] == 'queued' or was[2] == token then inFlight[#inFlight + 1] = id end
end
redis.call('PEXPIRE', log, tonumber(windowMs) + tonumber(deadlineMs))
return inFlight
`,
)
