import { z } from "zod"
import { FIELDS } from "../safe-reads.lua.ts"
import { script } from "../script.ts"

/** The round of a fair tag. */
export const ROUND_OF = `
local function roundOf(tag) return math.ceil(math.floor(tag) / 2) end
`

/**
 * Fair order: a tag is twice the round, plus one for somebody who was served in that round already and
 * asks again; of equal ones the earlier asked starts first, by the fraction. So each round serves each
 * person once, and a single request lets at most one of each other person pass.
 */
export const FAIR_TAG = `${ROUND_OF}
local function fairTag(last, user, waiting)
  local was = redis.call('HMGET', last, '', user, '#')
  local started, mine = tonumber(was[1]) or 0, tonumber(was[2]) or -1
  -- What is no number was changed by hand: counting starts over.
  local asked = (tonumber(was[3]) or 0) + 1
  local tag
  if waiting > 0 then tag = 2 * (roundOf(mine) + 1)
  elseif mine < 0 or roundOf(mine) < roundOf(started) then tag = math.floor(started)
  else tag = 2 * roundOf(started) + 1 end
  -- As text: Redis would write out a number again for each command that it is given to. Nine places
  -- are half as long as a number in full, which every job's record would hold. Whole numbers are written
  -- out much faster than fractions.
  tag = string.format('%d.%09d', tag, asked % 10 ^ 9)
  redis.call('HSET', last, user, tag, '#', string.format('%d', asked))
  return tag
end
`

/**
 * Takes a person out of a project's fair order, as far as that changes nothing for anybody.
 * Somebody who waits, whose job is being started, or who was served in the present round stays in
 * it: otherwise they could be served in it again. Creations that the hour no longer counts are
 * dropped as well.
 */
export const forgetPlace = script(
  z.number(),
  "last log wait creating waiting",
  "user windowMs jobPrefix",
  `${FIELDS}${ROUND_OF}
redis.call('ZREMRANGEBYSCORE', log, '-inf', now - tonumber(windowMs))
if redis.call('ZCARD', waiting) > 0 then return 0 end
local started = redis.call('ZRANGE', creating, 0, -1)
if #started == 0 and redis.call('ZCARD', wait) == 0 then return redis.call('DEL', last) end
for _, id in ipairs(started) do
  if fields(jobPrefix .. id, 'user')[1] == user then return 0 end
end
local was = redis.call('HMGET', last, '', user)
if roundOf(tonumber(was[2]) or 0) >= roundOf(tonumber(was[1]) or 0) then return 0 end
return redis.call('HDEL', last, user)
`,
)
