/**
 * Lua. In the fair order each person has one job per turn, and a turn's jobs start before those of
 * the next. A tag is twice the turn's number, plus one for a person who was already served in that
 * turn and asks again. The fraction puts the earlier of two equal tags first. So a single request
 * waits for at most one request of each other person. `last` holds the tag last started (""), the
 * tag last started for each person, and how many were given ("#"); the script clears it when
 * nothing waits or is being created, which keeps the hash small.
 */
export const FAIR_TAG = `
local function roundOf(tag) return math.ceil(math.floor(tonumber(tag)) / 2) end
local function fairTag(line, user)
  if redis.call('ZCARD', line.wait) == 0 and redis.call('ZCARD', line.creating) == 0 then
    redis.call('DEL', line.last)
  end
  local was = redis.call('HMGET', line.last, '', user)
  local started, served = tonumber(was[1]) or 0, tonumber(was[2])
  local mine = redis.call('ZRANGE', line.waiting, -1, -1, 'WITHSCORES')[2]
  local tag
  if mine then tag = 2 * (roundOf(mine) + 1)
  elseif served and roundOf(served) >= roundOf(started) then tag = 2 * roundOf(started) + 1
  else tag = math.floor(started) end
  local given = redis.call('HINCRBY', line.last, '#', 1)
  -- As text, because nine decimal places are half as long as a number in full.
  return string.format('%d.%09d', tag, given % 10 ^ 9)
end
`
