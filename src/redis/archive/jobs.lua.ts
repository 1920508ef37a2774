import { z } from "zod"
import { KEEP_MS } from "../keys.ts"
import { FIELDS, TEXT } from "../safe-reads.lua.ts"
import { script } from "../script.ts"

/**
 * The moment, and ended jobs that have come to rest, oldest first; none while there are few and all of
 * them recent. None either in the first while after the first version that reads packs: to older ones,
 * which roll out of service meanwhile, a packed job is one that is too old to be kept.
 */
export const beginPackingJobs = script(
  z.tuple([z.number(), z.array(z.string())]),
  "from packs ended",
  "afterMs restMs spanMs few most",
  `${TEXT}
if not tonumber(text(from) or nil) then
  redis.call('SET', from, string.format('%.0f', now + tonumber(afterMs)))
end
redis.call('ZREMRANGEBYSCORE', packs, '-inf', now)
if now < tonumber(redis.call('GET', from)) then return {now, {}} end
local rested = now - tonumber(restMs)
local ids = redis.call('ZRANGEBYSCORE', ended, '-inf', rested, 'LIMIT', 0, most)
if #ids == 0 then return {now, {}} end
local oldest = tonumber(redis.call('ZSCORE', ended, ids[1]))
if #ids < tonumber(few) and oldest > rested - tonumber(spanMs) then return {now, {}} end
return {now, ids}
`,
)

/**
 * Where it is written down which pack a job is in: one of some hashes of the day it was packed on. A key
 * for each job would be more than the job. So many hashes that Redis keeps each compact (up to 128 fields), by what
 * the day before had. An address is a number by which the hash is chosen, and the field in it.
 */
const INDEX = `
local function bucketOf(prefix, day, count, number) return prefix .. day .. ':' .. tonumber(number) % count end
`

/** Does a job's record stand as it was read? `said`: its fields and its words. */
const STANDS = `${TEXT}
local function stands(job, prompt, said)
  local hash = redis.pcall('HGETALL', job)
  if wrongType(hash) then return false end
  return table.concat(hash, '\\n') .. '\\n' .. (text(prompt) or '') == said
end
`

/**
 * Puts a pack in the place of jobs; its key is written before, for a moment. The further arguments are
 * each job's id, what was read of it, whether its words are packed with it, the number of its address, and
 * the address of its thread (two numbers); the further keys are the threads'. 0, and nothing is packed, where
 * one of them changed meanwhile or has something to say: it is left alone until it comes to rest again.
 */
export const placeJobPack = script(
  z.number(),
  "pack packs ended outbox previews days",
  "id day leftMs daysMs jobPrefix promptPrefix indexPrefix",
  `${STANDS}${INDEX}
if redis.call('EXISTS', pack) == 0 then return 0 end
local busy = {}
for i = rest, #ARGV, 6 do
  local one = ARGV[i]
  local isBusy = redis.call('ZSCORE', outbox, one) or redis.call('ZSCORE', previews, one)
  if isBusy or not stands(jobPrefix .. one, promptPrefix .. one, ARGV[i + 1]) then busy[#busy + 1] = one end
end
if #busy > 0 then
  redis.call('ZREM', ended, unpack(busy))
  return 0
end
local count = tonumber(redis.call('HGET', days, day .. ':of'))
if not count then
  local before = tonumber(redis.call('HGET', days, (day - 1) .. ':jobs')) or 0
  count = math.max(32, math.ceil(before / 32))
  redis.call('HSET', days, day .. ':of', count)
  local over = day - math.ceil(tonumber(daysMs) / 86400000)
  redis.call('HDEL', days, over .. ':of', over .. ':jobs')
end
redis.call('HINCRBY', days, day .. ':jobs', (#ARGV - rest + 1) / 6)
redis.call('PEXPIRE', days, daysMs)
local function note(number, field)
  local bucket = bucketOf(indexPrefix, day, count, number)
  redis.call('HSET', bucket, field, id)
  redis.call('PEXPIRE', bucket, daysMs)
end
for i = rest, #ARGV, 6 do
  local one, thread = ARGV[i], KEYS[7 + (i - rest) / 6]
  note(ARGV[i + 3], one)
  if text(thread) == one then
    note(ARGV[i + 4], ARGV[i + 5])
    redis.call('DEL', thread)
  end
  redis.call('DEL', jobPrefix .. one)
  if ARGV[i + 2] == '1' then redis.call('DEL', promptPrefix .. one) end
  redis.call('ZREM', ended, one)
end
redis.call('ZADD', packs, now + tonumber(leftMs), id)
redis.call('PEXPIRE', pack, leftMs)
return 1
`,
)

/** How long a pack is kept; one that lost its end, as data moved by hand do, as long as a new one, ms. */
const LEFT = `
local function leftOf(pack)
  local leftMs = redis.call('PTTL', pack)
  return leftMs == -1 and ${KEEP_MS} or leftMs
end
`

/** For each address in the further arguments the pack that is noted there last; empty where none is. */
export const packsOf = script(
  z.array(z.string()),
  "days",
  "daysBack indexPrefix",
  `${FIELDS}${INDEX}
local today, counts, found = math.floor(now / 86400000), {}, {}
for day = today, today - tonumber(daysBack), -1 do
  counts[day] = tonumber(fields(days, day .. ':of')[1] or nil)
end
for i = rest, #ARGV, 2 do
  local pack
  for day = today, today - tonumber(daysBack), -1 do
    if counts[day] then
      pack = fields(bucketOf(indexPrefix, day, counts[day], ARGV[i]), ARGV[i + 1])[1]
      if pack then break end
    end
  end
  found[#found + 1] = pack or ''
end
return found
`,
)

/**
 * Writes a packed job as a record of its own again, for as long as it is kept, before something about it
 * changes. 0 where the pack is not the one that was read: somebody may have been forgotten since. The further
 * arguments are the record's names and values; with \`leads\` its thread leads to it, if to nothing else.
 */
export const restoreJob = script(
  z.number(),
  "pack rewritten job prompt thread ended",
  "id rewrites words leads",
  `${TEXT}${LEFT}
if redis.call('EXISTS', job) == 1 then return 1 end
if (text(rewritten) or '0') ~= rewrites then return 0 end
local leftMs = leftOf(pack)
if leftMs <= 0 then return 0 end
redis.call('HSET', job, unpack(ARGV, rest))
redis.call('PEXPIRE', job, leftMs)
if words ~= '' then redis.call('SET', prompt, words, 'PX', leftMs) end
if leads == '1' then redis.call('SET', thread, id, 'PX', leftMs, 'NX') end
redis.call('ZADD', ended, now, id)
return 1
`,
)

/** Replaces a pack if it still is the one that was read; its new contents are in `other`, for a moment. */
export const replaceJobPack = script(
  z.number(),
  "pack rewritten other",
  "rewrites",
  `${TEXT}${LEFT}
if (text(rewritten) or '0') ~= rewrites then return 0 end
local leftMs = leftOf(pack)
if leftMs <= 0 then return 1 end
redis.call('SET', rewritten, tonumber(rewrites) + 1, 'PX', leftMs)
redis.call('RENAME', other, pack)
redis.call('PEXPIRE', pack, leftMs)
return 1
`,
)
