import { z } from "zod"
import { FIELDS } from "../safe-reads.lua.ts"
import { json, script } from "../script.ts"

/**
 * The first `most` waiting jobs of a queue in their order: the id of each, and these fields of its
 * record, empty where one is absent; without any where the record is none of ours. In one reply, as a
 * thousand reads of a record each take several times the CPU of both ends.
 */
export const waitingWith = script(
  json(z.array(z.tuple([z.string()], z.string()))),
  "wait",
  "most jobPrefix",
  `${FIELDS}
local line = {}
for _, id in ipairs(redis.call('ZRANGE', wait, 0, most - 1)) do
  local row = {id}
  for i, value in ipairs(fields(jobPrefix .. id, unpack(ARGV, rest))) do row[i + 1] = value or '' end
  line[#line + 1] = row
end
return #line == 0 and '[]' or cjson.encode(line)
`,
)
