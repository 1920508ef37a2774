import { z } from "zod"
import { WRONG_TYPE } from "../safe-reads.lua.ts"
import { script } from "../script.ts"

/**
 * Puts other watches in the place of those that were read; what the passes wrote down stays. 0 when
 * somebody else changed them meanwhile. Without any watch nothing is left.
 */
export const changeAlerts = script(
  z.number(),
  "key due",
  "id before record dueAt",
  `${WRONG_TYPE}
local known = redis.pcall('HGET', key, 'record')
if wrongType(known) then
  redis.call('DEL', key)
  known = false
end
-- Sent again after a lost reply: it is done.
if known == record or (record == '' and not known) then return 1 end
if (known or '') ~= before then return 0 end
if record == '' then
  redis.call('DEL', key)
  redis.call('ZREM', due, id)
else
  redis.call('HSET', key, 'record', record)
  redis.call('ZADD', due, 'NX', dueAt, id)
end
return 1
`,
)

/** Watches and state of one channel, as the two texts they are kept as. */
export const readAlerts = script(
  z.tuple([z.string(), z.string()]),
  "key",
  "",
  `${WRONG_TYPE}
local record = redis.pcall('HGET', key, 'record')
if wrongType(record) or not record then return {'', ''} end
return {record, redis.call('HGET', key, 'state') or ''}
`,
)
