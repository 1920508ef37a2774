import { z } from "zod"
import { script } from "../script.ts"

/**
 * The name under which each project is stored. `rest` gives three values for each: its identity,
 * its configured name and its id. The name under which a project was first seen is kept for good;
 * where data stand under the id alone, as those of a single project once did, that is the name.
 * Gives the names in the same order, and all that are taken. Notes that a running process has these
 * projects configured.
 */
export const nameProjects = script(
  z.tuple([z.array(z.string()), z.array(z.string())]),
  "projects configured",
  "prefix",
  `
local function hasData(name)
  local own = {}
  for i, part in ipairs({':wait', ':creating', ':log', ':pause'}) do own[i] = prefix .. name .. part end
  return redis.call('EXISTS', unpack(own)) > 0
end
local taken = {}
for _, name in ipairs(redis.call('HVALS', projects)) do taken[name] = true end
local names = {}
for i = rest, #ARGV, 3 do
  local print, name, id = ARGV[i], ARGV[i + 1], ARGV[i + 2]
  local stored = redis.call('HGET', projects, print)
  if not stored then
    stored = name
    if not taken[id] and hasData(id) and not hasData(name) then stored = id end
    -- No configured name has such a character.
    if taken[stored] then stored = name .. '~' .. string.sub(print, 1, 8) end
    redis.call('HSET', projects, print, stored)
    taken[stored] = true
  end
  redis.call('ZADD', configured, now, stored)
  names[#names + 1] = stored
end
return {names, redis.call('HVALS', projects)}
`,
)
