import { z } from "zod"
import { WRONG_TYPE } from "./safe-reads.lua.ts"
import { script } from "./script.ts"

/** Notes a key among what is one person's for as long as it is kept. */
export const NOTE_OWN = `${WRONG_TYPE}
local function noteOwn(own, record, keepMs)
  local gone = now + tonumber(keepMs)
  if wrongType(redis.pcall('ZADD', own, gone, record)) then
    redis.call('DEL', own)
    redis.call('ZADD', own, gone, record)
  end
  redis.call('ZREMRANGEBYSCORE', own, '-inf', now)
  if redis.call('PTTL', own) < tonumber(keepMs) then redis.call('PEXPIRE', own, keepMs) end
end
`

/** Is it the name of what such a list may hold? The kinds are the further arguments. */
const IS_OWN = `
local function isOwn(name)
  for i = rest, #ARGV do
    if string.sub(name, 1, #ARGV[i]) == ARGV[i] then return true end
  end
  return false
end
`

/**
 * Keeps something of one person for a while, and notes its key among what is theirs; 0 where the deferred
 * payload that it is about is forgotten. Beyond so many of
 * these kinds, or so many bytes, the oldest is deleted.
 */
export const keepOwn = script(
  z.number(),
  "record own",
  "value keepMs most mostBytes deferred",
  `${NOTE_OWN}${IS_OWN}
if deferred ~= '' and redis.call('EXISTS', deferred) == 0 then return 0 end
redis.call('SET', record, value, 'PX', keepMs)
noteOwn(own, record, keepMs)
local names, total, sizes = {}, 0, {}
for _, name in ipairs(redis.call('ZRANGE', own, 0, -1)) do
  if isOwn(name) then
    local size = redis.pcall('STRLEN', name)
    names[#names + 1] = name
    sizes[name] = wrongType(size) and 0 or size
    total = total + sizes[name]
  end
end
local left = #names
for _, name in ipairs(names) do
  if left <= tonumber(most) and total <= tonumber(mostBytes) then break end
  if name ~= record then
    redis.call('ZREM', own, name)
    redis.call('DEL', name)
    left, total = left - 1, total - sizes[name]
  end
end
return 1
`,
)

/**
 * Deletes what is noted among a person's own, where its key begins as one of the further arguments does:
 * the list may have been changed by hand, and must not lead to anything else.
 */
export const forgetOwn = script(
  z.number(),
  "own",
  "",
  `${WRONG_TYPE}${IS_OWN}
local names = redis.pcall('ZRANGE', own, 0, -1)
for _, name in ipairs(wrongType(names) and {} or names) do
  if isOwn(name) then redis.call('DEL', name) end
end
redis.call('DEL', own)
return 1
`,
)
