import { z } from "zod"
import { FIELDS, TEXT } from "../safe-reads.lua.ts"
import { script } from "../script.ts"

/**
 * What is known of Slack's agent surface is one text: `on <since> <Stop button>` or `off <code> <since>`, which is gone
 * when it may be tried again; nothing while nobody knows. While nobody knows, one process at a time tries.
 */
export const SURFACE = `${TEXT}
local function isOff(surface) return string.sub(text(surface) or '', 1, 4) == 'off ' end
local function mayTry(surface, surfaceTry, tryMs)
  if isOff(surface) then return false end
  if text(surface) then return true end
  return redis.call('SET', surfaceTry, '1', 'NX', 'PX', tryMs) and true or false
end
`

/** 1: the surface may be used now. */
export const trySurface = script(
  z.number(),
  "surface surfaceTry",
  "tryMs",
  `${FIELDS}${SURFACE}
return mayTry(surface, surfaceTry, tryMs) and 1 or 0
`,
)

/** What a use of it taught: without a code, that it is there. 1 where that turns it off. */
export const learnSurface = script(
  z.number(),
  "surface surfaceTry",
  "code keepMs",
  `${FIELDS}${SURFACE}
redis.call('DEL', surfaceTry)
if isOff(surface) then return 0 end
local since = string.format('%.0f', now)
if code == '' then
  if not text(surface) then redis.call('SET', surface, 'on ' .. since .. ' unknown', 'PX', keepMs) end
else redis.call('SET', surface, 'off ' .. code .. ' ' .. since, 'PX', keepMs) end
return code == '' and 0 or 1
`,
)

/** What is known of it, and for how long it counts, ms. */
export const readSurface = script(
  z.tuple([z.string(), z.number(), z.number()]),
  "surface",
  "",
  `${TEXT}
return {text(surface) or '', math.max(0, redis.call('PTTL', surface)), now}
`,
)
