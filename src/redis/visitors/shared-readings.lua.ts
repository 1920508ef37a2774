import { z } from "zod"
import { TEXT } from "../safe-reads.lua.ts"
import { script } from "../script.ts"

/**
 * Answers with the reading, or with how the fetch just failed, or gives the lock to fetch to one
 * caller. A lock not renewed in time passes to the next who asks.
 */
export const takeLock = script(
  z.union([
    z.tuple([z.enum(["known", "failed"]), z.string()]),
    z.tuple([z.enum(["fetch", "wait"])]),
  ]),
  "reading failure lock",
  "token leaseMs",
  `${TEXT}
local known = text(reading)
if known then return {'known', known} end
local failed = text(failure)
if failed then return {'failed', failed} end
local holder = text(lock)
if holder and holder ~= token then return {'wait'} end
redis.call('SET', lock, token, 'PX', leaseMs)
return {'fetch'}
`,
)

/** 0 when the lock has passed to somebody else. */
export const renewLock = script(
  z.number(),
  "lock",
  "token leaseMs",
  `${TEXT}
if text(lock) ~= token then return 0 end
return redis.call('PEXPIRE', lock, leaseMs)
`,
)

/** Ends a lock with a value under the first key, or with nothing. A lock that has passed changes nothing. */
export const releaseLock = script(
  z.number(),
  "target lock",
  "token value keepMs",
  `${TEXT}
if text(lock) ~= token then return 0 end
redis.call('DEL', lock)
if value ~= '' then redis.call('SET', target, value, 'PX', keepMs) end
return 1
`,
)
