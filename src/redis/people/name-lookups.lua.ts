import { z } from "zod"
import { WRONG_TYPE } from "../safe-reads.lua.ts"
import { script } from "../script.ts"

/** 1 when there is room within the window; the same token has it once, however often it is sent. */
export const takeLookUp = script(
  z.number(),
  "lookUps",
  "token most windowMs",
  `${WRONG_TYPE}
if wrongType(redis.pcall('ZREMRANGEBYSCORE', lookUps, '-inf', now - windowMs)) then
  redis.call('DEL', lookUps)
end
if redis.call('ZSCORE', lookUps, token) then return 1 end
if redis.call('ZCARD', lookUps) >= tonumber(most) then return 0 end
redis.call('ZADD', lookUps, now, token)
redis.call('PEXPIRE', lookUps, windowMs)
return 1
`,
)
