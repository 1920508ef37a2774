import { z } from "zod"
import { script } from "../script.ts"
import { TEXT } from "../tolerant.lua.ts"

/**
 * Answers with the reading, or with how the fetch just failed, or gives the turn to fetch to one
 * caller. A turn not renewed in time passes to the next who asks.
 */
export const takeTurn = script(
  z.union([
    z.tuple([z.enum(["known", "failed"]), z.string()]),
    z.tuple([z.enum(["fetch", "wait"])]),
  ]),
  "reading failure turn",
  "token leaseMs",
  `${TEXT}
local known = text(reading)
if known then return {'known', known} end
local failed = text(failure)
if failed then return {'failed', failed} end
local holder = text(turn)
if holder and holder ~= token then return {'wait'} end
redis.call('SET', turn, token, 'PX', leaseMs)
return {'fetch'}
`,
)

/** 0 when the turn has passed to somebody else. */
export const renewTurn = script(
  z.number(),
  "turn",
  "token leaseMs",
  `${TEXT}
if text(turn) ~= token then return 0 end
return redis.call('PEXPIRE', turn, leaseMs)
`,
)

/** Ends a turn with a value under the first key, or with nothing. A turn that has passed changes nothing. */
export const endTurn = script(
  z.number(),
  "target turn",
  "token value keepMs",
  `${TEXT}
if text(turn) ~= token then return 0 end
redis.call('DEL', turn)
if value ~= '' then redis.call('SET', target, value, 'PX', keepMs) end
return 1
`,
)
