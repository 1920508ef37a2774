import { z } from "zod"
import { FIELDS } from "../safe-reads.lua.ts"
import { script } from "../script.ts"

/** Where one project stands: waiting, when the oldest was asked ("" for none), used, why it rests. */
export const projectGauges = script(
  z.tuple([z.number(), z.string(), z.number(), z.string()]),
  "wait log pause",
  "windowMs jobPrefix",
  `${FIELDS}
local oldest = ''
for _, id in ipairs(redis.call('ZRANGE', wait, 0, 999)) do
  local at = fields(jobPrefix .. id, 'at')[1]
  if tonumber(at) and (oldest == '' or tonumber(at) < tonumber(oldest)) then oldest = at end
end
local paused = fields(pause, 'reason', 'until')
local resting = paused[1] and (paused[2] == '' or (tonumber(paused[2]) or 0) > now)
return {
  redis.call('ZCARD', wait),
  oldest,
  redis.call('ZCOUNT', log, '(' .. (now - windowMs), '+inf'),
  resting and paused[1] or '',
}
`,
)
