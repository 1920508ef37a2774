import { z } from "zod"
import { FIELDS, TEXT } from "../safe-reads.lua.ts"
import { WAKE_DISPATCH, WAKE_TROUBLES } from "../schedules/wake-ups.lua.ts"
import { script } from "../script.ts"
import { PAUSES } from "./pause.lua.ts"

/**
 * A read was refused with this key. \`poll\` pauses the project, unless it is fine with another key; a
 * \`probe\` only notes it in a pause for this key, so that one that is accepted later means something.
 */
export const refuseKey = script(
  z.number(),
  "pause refused",
  "by reason key",
  `${PAUSES}${TEXT}
local was = fields(pause, 'until', 'key')
local waits = was[1] == '' and was[2] == key
if not waits then
  if by ~= 'poll' or text(refused) == key then return 0 end
  refuse(pause, refused, reason, key)
end
redis.call('HSET', pause, 'reads', 'refused')
return waits and 0 or 1
`,
)

/**
 * A read was accepted with this key. It ends a pause in which reads were refused as well, or that is for
 * another key: one creation goes first and shows whether all is well. Any other says no more than that the
 * key may read. 1: the pause ends.
 */
export const acceptKey = script(
  z.number(),
  "pause refused",
  "key",
  `${FIELDS}${TEXT}
local was = fields(pause, 'until', 'key', 'reads')
if was[1] ~= '' or was[2] == key and not was[3] then return 0 end
redis.call('HSET', pause, 'until', now)
redis.call('HDEL', pause, 'key', 'reads')
if text(refused) == key then redis.call('DEL', refused) end${WAKE_DISPATCH}return 1
`,
)

/** Ends the pauses of both queues of a project, for whichever reason they rest. How many did. */
export const resume = script(
  z.number(),
  "pause messagesPause refused",
  "",
  `
redis.call('DEL', refused)
local ended = redis.call('DEL', pause, messagesPause)${WAKE_DISPATCH}return ended
`,
)

/** A job was found where this path leads. */
export const findJob = script(
  z.number(),
  "jobPath",
  "path",
  `
redis.call('DEL', jobPath)
return redis.call('HSET', jobPath, 'path', path, 'found', '1')
`,
)

/** A job was not found where this path leads: how often in a row, or 0 where one ever was found. */
export const missJob = script(
  z.number(),
  "jobPath",
  "path",
  `${FIELDS}
local known = fields(jobPath, 'path', 'found')
if known[1] ~= path then
  redis.call('DEL', jobPath)
  redis.call('HSET', jobPath, 'path', path, 'since', now)
elseif known[2] then
  return 0
end
local misses = redis.call('HINCRBY', jobPath, 'misses', 1)${WAKE_TROUBLES}return misses
`,
)
