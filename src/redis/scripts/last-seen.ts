import { z } from "zod"
import { script } from "../script.ts"

/** Notes the moment, for a while. */
export const noteSeen = script(
  z.number(),
  `
redis.call('SET', KEYS[1], string.format('%.0f', now), 'PX', ARGV[2])
return 1
`,
)
