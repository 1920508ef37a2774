import { z } from "zod"
import { script } from "../script.ts"

/** From now on this id is due at that moment; whoever holds it loses it. */
export const putDue = script(
  z.number(),
  "due work",
  "id at",
  `
redis.call('HDEL', work, id .. ':lease', id .. ':due', id .. ':tries', id .. ':begun')
return redis.call('ZADD', due, at, id)
`,
)

/**
 * Leases the id that has been due longest. Beside the lease, `work` holds of each id the moment it was due,
 * which try this is, and whether a post was begun: the reply is id, that moment, tries, begun, and now.
 */
export const claimDue = script(
  z.union([
    z.tuple([z.string(), z.coerce.number(), z.number(), z.number(), z.number()]),
    z.tuple([]),
  ]),
  "due work",
  "lease leaseMs",
  `
local first = redis.call('ZRANGEBYSCORE', due, '-inf', now, 'WITHSCORES', 'LIMIT', 0, 1)
local id = first[1]
if not id then return {} end
redis.call('ZADD', due, now + tonumber(leaseMs), id)
redis.call('HSETNX', work, id .. ':due', first[2])
redis.call('HSET', work, id .. ':lease', lease)
return {
  id, redis.call('HGET', work, id .. ':due'), redis.call('HINCRBY', work, id .. ':tries', 1),
  redis.call('HEXISTS', work, id .. ':begun'), now,
}
`,
)

/**
 * What becomes of a claim; 0 where its lease is lost. `hold`: it goes on for so many ms, `begin`: and a post
 * is begun, `again`: it is claimed again after so many ms, `next`: it is due at that moment, `end`: never.
 */
export const settleClaim = script(
  z.number(),
  "due work",
  "id lease what ms",
  `
if redis.call('HGET', work, id .. ':lease') ~= lease then return 0 end
if what == 'begin' then
  redis.call('HSET', work, id .. ':begun', '1')
elseif what == 'hold' then
  redis.call('ZADD', due, now + tonumber(ms), id)
elseif what == 'again' or what == 'unsure' then
  redis.call('ZADD', due, now + tonumber(ms), id)
  redis.call('HDEL', work, id .. ':lease')
  if what == 'unsure' then redis.call('HSET', work, id .. ':begun', '1')
  else redis.call('HDEL', work, id .. ':begun') end
else
  redis.call('HDEL', work, id .. ':lease', id .. ':due', id .. ':tries', id .. ':begun')
  if what == 'next' then redis.call('ZADD', due, ms, id) else redis.call('ZREM', due, id) end
end
return 1
`,
)
