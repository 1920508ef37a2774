import { z } from "zod"
import { setPrompts } from "../workspace/sessions.ts"
import { isOwnDirectMessage } from "../workspace/workspace.ts"
import { ApiError } from "./api-error.ts"
import { checkArguments } from "./arguments.ts"
import { requireScope, visibleChannel } from "./channels.ts"
import type { Method } from "./method.ts"
import { tier4 } from "./rate-limits.ts"
import { id } from "./schemas.ts"

const text = z.string().min(1)
const schema = z.object({
  channel_id: id,
  thread_ts: id.optional(),
  title: text.optional(),
  /** "Use this method to set up to four suggested prompts in an app thread". */
  prompts: z
    .array(z.object({ title: text, message: text }))
    .min(1)
    .max(4),
})

/**
 * "Suggested prompts now live at the top of the Messages tab instead of within a thread" (Migrating to
 * the Agent messaging experience). An app that is no agent was seen to be refused with `not_agent_app`.
 */
export const assistantThreadsSetSuggestedPrompts: Method = {
  token: "bot",
  scopes: ["assistant:write"],
  limit: tier4,
  run(core, args) {
    const { channel_id, thread_ts, title, prompts } = checkArguments(schema, args)
    if (core.settings.agent !== "declared") throw new ApiError("not_agent_app")
    requireScope(core, "assistant:write")
    const channel = visibleChannel(core, channel_id)
    if (!isOwnDirectMessage(core.workspace, channel)) throw new ApiError("channel_not_found")
    if (thread_ts === undefined) setPrompts(core.workspace, channel.id, { title, prompts })
    // "Including it in a call for an agent app will cause the call to silently fail".
    else
      core.violations.add("suggested prompts with a `thread_ts`: an agent app shows none of them")
    return {}
  },
}
