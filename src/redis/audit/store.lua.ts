import { z } from "zod"
import { KEEP_MS } from "../keys.ts"
import { FIELDS, WRONG_TYPE } from "../safe-reads.lua.ts"
import { script } from "../script.ts"

/** Entries that were forgotten while their job was followed stay forgotten for so long, ms. */
const LONGEST_JOB_MS = 40 * 86_400_000

/** No entry is packed before, ms. */
const AGAIN_MS = 60_000

/**
 * Lua. Writes one entry and its place in the lists, and drops what is older than the time it is
 * kept; its names and values are the further arguments from one to another. In a forgotten entry
 * only the outcome of the job still changes. `isForgotten`: the entry counts as forgotten, whatever
 * its record says.
 */
export const RECORD_AUDIT = `${WRONG_TYPE}
local function recordAudit(keys, id, at, keepMs, words, from, to, isForgotten)
  local entry, asked, all, mine = unpack(keys)
  at = math.max(0, math.min(tonumber(at), now))
  -- What was asked a while ago and is not listed any more stands in a pack: this comes in its place.
  local again = at < now - ${AGAIN_MS} and not redis.call('ZSCORE', all, id)
  local forgotten = redis.pcall('HGET', entry, 'forgotten')
  if wrongType(forgotten) then
    -- No entry at all: what is known of the job takes its place.
    redis.call('DEL', entry)
    forgotten = false
  end
  if isForgotten and not forgotten then
    redis.call('HSET', entry, 'user', '', 'forgotten', '1')
    redis.call('DEL', asked)
    forgotten = '1'
  end
  for i = from, to, 2 do
    if not (forgotten and ARGV[i] == 'user') then redis.call('HSET', entry, ARGV[i], ARGV[i + 1]) end
  end
  if again then redis.call('HSET', entry, 'again', '1') end
  local expires = string.format('%.0f', at + tonumber(keepMs))
  redis.call('PEXPIREAT', entry, expires)
  if words ~= '' and not forgotten then redis.call('SET', asked, words, 'PXAT', expires) end
  redis.call('ZADD', all, at, id)
  redis.call('ZREMRANGEBYSCORE', all, '-inf', now - tonumber(keepMs))
  if forgotten then return end
  if wrongType(redis.pcall('ZADD', mine, at, id)) then
    redis.call('DEL', mine)
    redis.call('ZADD', mine, at, id)
  end
  redis.call('ZREMRANGEBYSCORE', mine, '-inf', now - tonumber(keepMs))
  redis.call('PEXPIRE', mine, keepMs)
end
`

/** Writes one entry. */
export const record = script(
  z.number(),
  "entry asked all mine",
  "id at keepMs words",
  `${RECORD_AUDIT}
recordAudit(KEYS, id, at, keepMs, words, rest, #ARGV)
return 1
`,
)

/**
 * Takes the person and the words out of the entries with these ids. An entry that another process
 * is yet to write is marked as forgotten beforehand.
 */
export const forgetEntries = script(
  z.number(),
  "mine",
  "prefix wordsPrefix jobPrefix",
  `${WRONG_TYPE}
local forgotten = 0
-- For as long as the job can have more to say: it may be in hand, or be followed again.
local function aheadMs(id)
  local left = redis.call('PTTL', jobPrefix .. id)
  if left == -1 then return ${LONGEST_JOB_MS} end
  -- What has no record is gone, or packed and may become one again.
  if left == -2 then return ${KEEP_MS} end
  return math.max(left, 3600000)
end
for i = rest, #ARGV do
  local entry = prefix .. ARGV[i]
  redis.call('DEL', wordsPrefix .. ARGV[i])
  if redis.call('EXISTS', entry) == 1 then
    local emptied = redis.pcall('HSET', entry, 'user', '', 'forgotten', '1')
    -- What is no entry may hold anything, also of that person.
    if wrongType(emptied) then redis.call('DEL', entry) end
    forgotten = forgotten + 1
  else
    redis.call('HSET', entry, 'user', '', 'forgotten', '1')
    redis.call('PEXPIRE', entry, aheadMs(ARGV[i]))
  end
end
return forgotten
`,
)

/**
 * Forgets the words of jobs that do not wait. A process that starts one has read them already;
 * should the job be put back, it is found forgotten and ended. Returns how many run or are being
 * started, and which still wait, with their words.
 */
export const forgetPrompts = script(
  z.tuple([z.number(), z.array(z.string())]),
  "mine",
  "jobPrefix promptPrefix replyPrefix",
  `${FIELDS}
local running, waiting = 0, {}
for i = rest, #ARGV do
  local id = ARGV[i]
  local state = fields(jobPrefix .. id, 'state')[1]
  if state == 'queued' then waiting[#waiting + 1] = id
  else
    redis.call('DEL', promptPrefix .. id, replyPrefix .. id)
    if state then redis.call('HSET', jobPrefix .. id, 'forgotten', '1') end
    if state == 'active' or state == 'creating' then running = running + 1 end
  end
end
return {running, waiting}
`,
)
