import { z } from "zod"
import { script } from "../script.ts"
import { FIELDS, WRONG_TYPE } from "./tolerant.ts"

/**
 * Writes one entry and its place in the lists, and drops what is older than the time it is kept.
 * In a forgotten entry only what became of the job still changes.
 */
export const record = script(
  z.number(),
  "entry asked all mine",
  "id at keepMs words",
  `${WRONG_TYPE}
at = math.max(0, math.min(tonumber(at), now))
local forgotten = redis.pcall('HGET', entry, 'forgotten')
if wrongType(forgotten) then
  -- No entry at all: what is known of the job takes its place.
  redis.call('DEL', entry)
  forgotten = false
end
for i = rest, #ARGV, 2 do
  local name = ARGV[i]
  if not (forgotten and name == 'user') then
    redis.call('HSET', entry, name, ARGV[i + 1])
  end
end
local expires = string.format('%.0f', at + tonumber(keepMs))
redis.call('PEXPIREAT', entry, expires)
if words ~= '' and not forgotten then
  redis.call('SET', asked, words, 'PXAT', expires)
end
redis.call('ZADD', all, at, id)
redis.call('ZREMRANGEBYSCORE', all, '-inf', now - tonumber(keepMs))
if not forgotten then
  if wrongType(redis.pcall('ZADD', mine, at, id)) then
    redis.call('DEL', mine)
    redis.call('ZADD', mine, at, id)
  end
  redis.call('ZREMRANGEBYSCORE', mine, '-inf', now - tonumber(keepMs))
  redis.call('PEXPIRE', mine, keepMs)
end
return 1
`,
)

/**
 * Takes the person and the words out of the entries with these ids. One that is yet to be written, by
 * whoever has the job in hand, is marked as forgotten beforehand.
 */
export const forgetEntries = script(
  z.number(),
  "",
  "prefix wordsPrefix",
  `${WRONG_TYPE}
local forgotten = 0
local aheadMs = 3600000
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
    redis.call('PEXPIRE', entry, aheadMs)
  end
end
return forgotten
`,
)

/**
 * Forgets the words of jobs that no longer need them. A job that waits or is being created keeps
 * them: they are what will be sent. Whatever has ended leaves its person's list, where it would be a row
 * without words. Returns how many jobs keep theirs.
 */
export const forgetPrompts = script(
  z.number(),
  "mine",
  "jobPrefix promptPrefix replyPrefix",
  `${FIELDS}
local kept = 0
for i = rest, #ARGV do
  local state = fields(jobPrefix .. ARGV[i], 'state')[1]
  if state == 'queued' or state == 'creating' then
    kept = kept + 1
  else
    redis.call('DEL', promptPrefix .. ARGV[i], replyPrefix .. ARGV[i])
    if state ~= 'active' then wrongType(redis.pcall('ZREM', mine, ARGV[i])) end
  end
end
return kept
`,
)
