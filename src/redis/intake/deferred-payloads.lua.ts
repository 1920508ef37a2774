import { z } from "zod"
import { NOTE_OWN } from "../own.lua.ts"
import { TEXT } from "../safe-reads.lua.ts"
import { script } from "../script.ts"

/**
 * Keeps a payload, due at once, as long as no more of this person's wait, and no more bytes. \`seen\` when
 * it is there already, or was lately: an empty record says so. Sent again by ioredis it is \`seen\` as well;
 * whoever claims next has it.
 */
export const keepDeferred = script(
  z.enum(["kept", "seen", "full"]),
  "record own deferred",
  "id value keepMs prefix most mostBytes",
  `${NOTE_OWN}
if redis.call('EXISTS', record) == 1 then return 'seen' end
local mine = redis.pcall('ZRANGE', own, 0, -1)
local waiting, bytes = 0, #value
for _, name in ipairs(wrongType(mine) and {} or mine) do
  if string.sub(name, 1, #prefix) == prefix then
    local size = redis.pcall('STRLEN', name)
    if not wrongType(size) and size > 0 then waiting, bytes = waiting + 1, bytes + size end
  end
end
if waiting >= tonumber(most) or bytes > tonumber(mostBytes) then return 'full' end
redis.call('SET', record, value, 'PX', keepMs)
redis.call('ZADD', deferred, now, id)
noteOwn(own, record, keepMs)
return 'kept'
`,
)

/** Leases the payload that is due longest. One that expired or was forgotten leaves the list. */
export const claimDeferred = script(
  z.union([z.tuple([z.string(), z.string()]), z.tuple([])]),
  "deferred",
  "leaseMs prefix",
  `${TEXT}
for _, id in ipairs(redis.call('ZRANGEBYSCORE', deferred, '-inf', now, 'LIMIT', 0, 20)) do
  local value = text(prefix .. id)
  if value and value ~= '' then
    redis.call('ZADD', deferred, now + tonumber(leaseMs), id)
    return {id, value}
  end
  redis.call('ZREM', deferred, id)
end
return {}
`,
)

/** Takes the words of a payload away; that it came is remembered. */
export const settleDeferred = script(
  z.number(),
  "record deferred",
  "id",
  `
redis.call('SET', record, '', 'XX', 'KEEPTTL')
return redis.call('ZREM', deferred, id)
`,
)
