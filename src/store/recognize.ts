import { z } from "zod"
import { script } from "./script.ts"

/** Time in ms after which a file that marks this Redis no more is forgotten. */
const KEPT_MS = 30 * 86_400_000
/**
 * Lead in ms of a file that proves no backup: a crash of Redis loses the last second of writes, and
 * with it a mark that the file already has.
 */
const CRASH_MS = 5000

/**
 * Compares this Redis with the marks in a file outside of it, given in `rest` as pairs of a Redis's
 * id and a time. Redis keeps the time of each file's last mark, too: if that is older than in the
 * file, this is a backup, and nothing is written. Otherwise marks Redis with the time of now.
 * @returns this Redis's id, the new mark (0 for a backup), and the mark that was there
 */
export const recognize = script(
  z.tuple([z.string(), z.number(), z.number()]),
  "memory",
  "file newId",
  `
redis.call('HSETNX', memory, 'id', newId)
local id, known = redis.call('HGET', memory, 'id'), 0
for i = rest, #ARGV, 2 do
  if ARGV[i] == id then known = tonumber(ARGV[i + 1]) end
end
local seen = tonumber(redis.call('HGET', memory, file)) or 0
if known - seen > ${CRASH_MS} then return {id, 0, seen} end
if seen == 0 then
  local all = redis.call('HGETALL', memory)
  for i = 1, #all, 2 do
    if now - (tonumber(all[i + 1]) or now) > ${KEPT_MS} then redis.call('HDEL', memory, all[i]) end
  end
end
redis.call('HSET', memory, file, string.format('%.0f', now))
return {id, now, seen}
`,
)
