import { z } from "zod"
import { FIELDS, TEXT } from "../safe-reads.lua.ts"
import { script } from "../script.ts"

/**
 * The moment, how many entries stand alone, and when the oldest of them was asked; none while none may be
 * packed. Not in the first while after the first version that reads packs: older ones, which roll out of
 * service meanwhile, would not find what is in them. Deletes packs whose time is over.
 */
export const beginPackingEntries = script(
  z.tuple([z.number(), z.number(), z.coerce.number()]),
  "packsFrom packs all",
  "afterMs keepMs packPrefix",
  `${TEXT}
if not tonumber(text(packsFrom) or nil) then
  redis.call('SET', packsFrom, string.format('%.0f', now + tonumber(afterMs)))
end
if now < tonumber(redis.call('GET', packsFrom)) then return {now, 0, '0'} end
local over = now - tonumber(keepMs)
for _, id in ipairs(redis.call('ZRANGEBYSCORE', packs, '-inf', over)) do
  redis.call('DEL', packPrefix .. id)
  redis.call('ZREM', packs, id)
end
redis.call('ZREMRANGEBYSCORE', all, '-inf', over)
local oldest = redis.call('ZRANGE', all, 0, 0, 'WITHSCORES')[2]
return {now, redis.call('ZCARD', all), oldest or '0'}
`,
)

/**
 * Puts a pack in the place of entries, and of the pack it \`replaces\`; its key is written before, for a
 * moment. The further arguments are each entry's id, its person and what it said when it was read. 0, and
 * nothing is done, where any of that changed meanwhile.
 */
export const placeAuditPack = script(
  z.number(),
  "packs pack all",
  "id at keepMs replaces packPrefix prefix wordsPrefix minePrefix",
  `${FIELDS}
if redis.call('EXISTS', pack) == 0 then return 0 end
if replaces ~= '' and not redis.call('ZSCORE', packs, replaces) then return 0 end
for i = rest, #ARGV, 3 do
  local is = fields(prefix .. ARGV[i], 'user', 'agent', 'ending', 'ended', 'pr', 'forgotten')
  for n = 1, 6 do is[n] = is[n] or '' end
  if table.concat(is, '\\n') ~= ARGV[i + 2] then return 0 end
end
for i = rest, #ARGV, 3 do
  redis.call('DEL', prefix .. ARGV[i], wordsPrefix .. ARGV[i])
  redis.call('ZREM', all, ARGV[i])
  wrongType(redis.pcall('ZREM', minePrefix .. ARGV[i + 1], ARGV[i]))
end
local leftMs = tonumber(at) + tonumber(keepMs) - now
if replaces ~= '' then
  leftMs = redis.call('PTTL', packPrefix .. replaces)
  redis.call('ZREM', packs, replaces)
  redis.call('DEL', packPrefix .. replaces)
end
redis.call('ZADD', packs, at, id)
-- What lost its end, as data moved by hand do, is deleted by the list of packs.
if leftMs == -1 then redis.call('PERSIST', pack)
else redis.call('PEXPIRE', pack, string.format('%.0f', leftMs)) end
return 1
`,
)
