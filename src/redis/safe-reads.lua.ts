/**
 * Reads for scripts that find keys by themselves: a value of another type, left by another version
 * or by hand, must not stop the script for everybody else. Any other error of Redis still stops it:
 * a node that is moving its keys must not pass for an empty one.
 */

/** Is this the reply of a call to a key that holds another type of value? */
export const WRONG_TYPE = `
local function wrongType(reply)
  if type(reply) ~= 'table' or not reply.err then return false end
  if not string.find(reply.err, 'WRONGTYPE', 1, true) then error(reply.err, 0) end
  return true
end
`

/** Fields of a hash, as HMGET gives them; none of anything else. */
export const FIELDS = `${WRONG_TYPE}
local function fields(key, ...)
  local found = redis.pcall('HMGET', key, ...)
  return wrongType(found) and {} or found
end
`

/** A hash as HGETALL gives it; anything else as a record that no version reads. */
export const RECORD = `${WRONG_TYPE}
local function record(key)
  local hash = redis.pcall('HGETALL', key)
  return wrongType(hash) and {'v', 'none: the key holds no hash'} or hash
end
`

/** A string; false for anything else. */
export const TEXT = `${WRONG_TYPE}
local function text(key)
  local value = redis.pcall('GET', key)
  return not wrongType(value) and value
end
`
