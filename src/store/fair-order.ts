import { z } from "zod"
import { script } from "./script.ts"

/**
 * Lua. In the fair order each person has one job per turn, and a turn's jobs start before those of
 * the next. The whole part of a tag is twice its turn's number. A person who was served in the
 * current turn and asks again gets the odd number after it. That counts as the next turn and sorts
 * before that turn's even tags. The fraction puts the earlier of two equal tags first. So a single
 * request waits for at most one request of each other person. An example: Ada asks twice (0 and 2),
 * Ben once (0). Both first ones start, and Ben asks again: 1, before Ada's 2. `last` holds the
 * furthest tag reached (""), the tag last started for each person, and the number of tags given
 * ("#"); the script clears it when nothing waits or is being created, which keeps the hash small.
 */
export const FAIR_TAG = `
local function turnNumber(tag) return math.ceil(math.floor(tonumber(tag)) / 2) end
local function tagIn(turn, isServed) return isServed and 2 * turn - 1 or 2 * turn end
local function wholeTag(queue, user)
  local tags = redis.call('HMGET', queue.last, '', user)
  local furthest, served = tonumber(tags[1]) or 0, tonumber(tags[2])
  local mine = redis.call('ZRANGE', queue.waiting, -1, -1, 'WITHSCORES')[2]
  if mine then return tagIn(turnNumber(mine) + 1, false) end
  local isServed = served and turnNumber(served) >= turnNumber(furthest)
  if isServed then return tagIn(turnNumber(furthest) + 1, true) end
  return math.floor(furthest)
end
local function fairTag(queue, user)
  if redis.call('ZCARD', queue.wait) == 0 and redis.call('ZCARD', queue.creating) == 0 then
    redis.call('DEL', queue.last)
  end
  local tag, given = wholeTag(queue, user), redis.call('HINCRBY', queue.last, '#', 1)
  -- As text with nine decimal places, which is half as long as Redis would write the number.
  return string.format('%d.%09d', tag, given % 10 ^ 9)
end
`

/** Returns how many queued jobs would come before a person's next one. */
export const aheadOf = script(
  z.number(),
  "wait waiting last",
  "user",
  `${FAIR_TAG}
return redis.call('ZCOUNT', wait, '-inf', '(' .. wholeTag({waiting = waiting, last = last}, user) + 1)`,
)
