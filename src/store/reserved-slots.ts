/** Number of creations in the hour below which a person may use its reserved slots. */
export const LIGHT_USER_CREATIONS = 5

/**
 * Returns whether this person may use the reserved slots, by which cards promise a start. `MAY_USE`
 * is the same rule in Lua, by which Redis grants one.
 */
export function mayUseReserved(log: readonly { user: string }[], user: string): boolean {
  return log.filter((entry) => entry.user === user).length < LIGHT_USER_CREATIONS
}

/**
 * Lua. Returns a function that says whether a person may have a slot, if only reserved ones are
 * left. Members of the rolling-hour log end with the person.
 */
export const MAY_USE = `
local function reservedFor(log, light)
  local counts = {}
  for _, member in ipairs(redis.call('ZRANGE', log, 0, -1)) do
    local user = string.match(member, ' (.*)$') or ''
    counts[user] = (counts[user] or 0) + 1
  end
  return function(person) return (counts[person] or 0) < light end
end
`
