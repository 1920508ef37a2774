import { z } from "zod"
import { ApiError } from "./api-error.ts"
import { checkArguments } from "./arguments.ts"
import { writableChannel } from "./channels.ts"
import { rootOf } from "./chat-post-message.ts"
import { checkContent } from "./content.ts"
import type { Method } from "./method.ts"
import { tier4 } from "./rate-limits.ts"
import { id } from "./schemas.ts"
import { showPrivately } from "./show-privately.ts"

const schema = z.object({ channel: id, user: id, thread_ts: z.string().optional() })

export const chatPostEphemeral: Method = {
  token: "bot",
  scopes: ["chat:write"],
  limit: tier4,
  run(core, args) {
    const { channel: channelId, user: reader, thread_ts } = checkArguments(schema, args)
    const channel = writableChannel(core, channelId)
    if (!core.workspace.users.has(reader)) throw new ApiError("user_not_found")
    if (!channel.members.has(reader)) throw new ApiError("user_not_in_channel")
    const content = checkContent(core, args, true)
    core.note({ by: "chat.postEphemeral", message: args })
    const { userId: user, botId } = core.workspace.bot
    const threadTs = thread_ts ? rootOf(core, channel.id, thread_ts) : undefined
    const draft = { channel: channel.id, user, botId, threadTs, ...content }
    return { message_ts: showPrivately(core, reader, draft)?.ts ?? core.workspace.nextTs() }
  },
}
