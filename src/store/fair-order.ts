import { z } from "zod"
import { READ_OR } from "./schedule-and-leases.ts"
import { script } from "./script.ts"

/** Wait in ms before another look at what changes at any moment. */
export const SOON_MS = 250

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

/**
 * Lua. Looks through a queue in fair order for a record that may start, from the moment in its
 * field `mayStartAt`. A record without it still waits, for example for its card. Others of its turn
 * may pass it, later turns only after the `heldMs` of its limits, so that a card that never comes delays nobody for
 * long. `barred` has as keys the users who get nothing. `choose` returns the `id` and `user` of the
 * record, if any; the `first` that could start if its user were not barred; and the wait after which
 * another look makes sense.
 */
export const CHOOSE = `${READ_OR}
local function standingOf(record, limits)
  local names = {'turnOf', 'mayStartAt', 'state', 'tag', 'at', 'rev'}
  local fields = readOr({}, 'HMGET', record, unpack(names))
  local user, startsAt, state, tag, askedAt, rev = unpack(fields, 1, 6)
  local standing = {user = user, turn = turnNumber(tonumber(tag) or 0)}
  standing.isGone = not user or state ~= 'queued' or not tonumber(rev)
  if startsAt then
    local startsIn = tonumber(startsAt) - now
    -- No delay is longer: the clock was set back since.
    standing.isReady = startsIn <= 0 or startsIn > limits.longestDelayMs
    standing.waitMs = math.max(1, startsIn)
  else
    local ageMs = now - (tonumber(askedAt) or 0)
    -- A request of the future is from before the clock was set back.
    standing.isHeld = ageMs >= 0 and ageMs < limits.heldMs
    -- Others may start at any moment: once it leaves the queue, or no longer holds them back. What
    -- makes the record itself startable is published.
    standing.waitMs = standing.isHeld and ${SOON_MS}
  end
  return standing
end
local function eachWaiting(wait, prefixes, limits, visit)
  -- Nearly always one of the first may start; only a long run of records that wait needs more reads.
  local from, step = 0, 5
  while from < 2000 do
    local ids = redis.call('ZRANGE', wait, from, from + step - 1)
    if #ids == 0 then return end
    for _, id in ipairs(ids) do
      local standing = standingOf(prefixes.record .. id, limits)
      if standing.isGone then
        redis.call('ZREM', wait, id)
        if standing.user then redis.call('ZREM', prefixes.waiting .. standing.user, id) end
      else
        if visit(id, standing) == 'stop' then return end
        from = from + 1
      end
    end
    step = 100
  end
end
local function choose(wait, prefixes, limits, barred)
  local choice, heldTurn = {waitMs = 60000}, nil
  eachWaiting(wait, prefixes, limits, function(id, standing)
    local user, turn = standing.user, standing.turn
    if heldTurn and turn > heldTurn then return 'stop' end
    if standing.isReady then
      choice.first = choice.first or id
      if barred[user] then return end
      choice.id, choice.user = id, user
      return 'stop'
    end
    if standing.isHeld and not barred[user] then heldTurn = heldTurn or turn end
    choice.waitMs = math.min(choice.waitMs, standing.waitMs or choice.waitMs)
  end)
  return choice
end
`
