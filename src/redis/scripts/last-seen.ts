import { z } from "zod"
import { script } from "../script.ts"

/** Notes the moment, for a while. */
export const noteSeen = script(
  z.number(),
  "seen",
  "keepMs",
  `
redis.call('SET', seen, string.format('%.0f', now), 'PX', keepMs)
return 1
`,
)
