import { z } from "zod"
import { setStatus } from "../workspace/messages.ts"
import { checkArguments } from "./arguments.ts"
import { writableChannel } from "./channels.ts"
import { rootOf } from "./chat-post-message.ts"
import type { Method } from "./method.ts"
import { id } from "./schemas.ts"

const schema = z.object({
  channel_id: id,
  thread_ts: id,
  status: z.string(),
  loading_messages: z.array(z.string()).max(10).optional(),
})

/** The "<app> is …" line of a thread. 600 a minute for each app and workspace. */
export const assistantThreadsSetStatus: Method = {
  token: "bot",
  scopes: ["chat:write", "assistant:write"],
  limit: { perMinute: 600, burst: 600 },
  run(core, args) {
    const { channel_id, thread_ts, status } = checkArguments(schema, args)
    const channel = writableChannel(core, channel_id)
    setStatus(core.workspace, channel.id, rootOf(core, channel.id, thread_ts), status)
    return {}
  },
}
