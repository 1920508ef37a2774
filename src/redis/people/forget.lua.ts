import { z } from "zod"
import { FIELDS } from "../safe-reads.lua.ts"
import { script } from "../script.ts"

/**
 * Forgets the words of jobs that do not wait. A process that starts one has read them already;
 * should the job be put back, it is found forgotten and ended. Returns how many run or are being
 * started, and which still wait, with their words.
 */
export const forgetPrompts = script(
  z.tuple([z.number(), z.array(z.string())]),
  "mine",
  "jobPrefix promptPrefix replyPrefix",
  `${FIELDS}
local running, waiting = 0, {}
for i = rest, #ARGV do
  local id = ARGV[i]
  local state = fields(jobPrefix .. id, 'state')[1]
  if state == 'queued' then waiting[#waiting + 1] = id
  else
    redis.call('DEL', promptPrefix .. id, replyPrefix .. id)
    if state then redis.call('HSET', jobPrefix .. id, 'forgotten', '1') end
    if state == 'active' or state == 'creating' then running = running + 1 end
  end
end
return {running, waiting}
`,
)
