import { failure, type Reply } from "../kit/reply.ts"
import { optionalOperationSchema } from "./operations.ts"
import type { State } from "./state.ts"
import type { Target } from "./target.ts"

/** What a deployment without the operation answers; undefined where it has it. */
export function absentReply({ settings }: State, { route }: Target): Reply | undefined {
  const { success, data } = optionalOperationSchema.safeParse(route)
  const status = success ? settings.absent[data] : undefined
  return status === undefined ? undefined : failure(status, WORDS[status])
}

const WORDS = {
  403: "Not available on your current plan",
  404: "Not found",
  405: "Method not allowed",
  501: "Not implemented",
}
