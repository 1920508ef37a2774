import { z } from "zod"
import type { JsonObject } from "../../kit/json.ts"
import type { Core } from "../core.ts"
import { messageObject } from "../workspace/api-objects.ts"
import { postMessage } from "../workspace/messages.ts"
import { ApiError } from "./api-error.ts"
import { checkArguments } from "./arguments.ts"
import { postableChannel } from "./channels.ts"
import { checkContent, checkMetadata } from "./content.ts"
import type { Method } from "./method.ts"
import { postsInChannel, postsInWorkspace } from "./rate-limits.ts"
import { id } from "./schemas.ts"

const schema = z.object({ channel: id, thread_ts: z.string().optional() })

export const chatPostMessage: Method = {
  token: "bot",
  scopes: ["chat:write"],
  limit: postsInWorkspace,
  run(core, args) {
    const { channel: channelId, thread_ts } = checkArguments(schema, args)
    const channel = postableChannel(core, channelId)
    core.rateLimits.spend(`chat.postMessage ${channel.id}`, postsInChannel)
    const content = checkContent(core, args)
    const metadata = checkMetadata(args)
    const threadTs = thread_ts ? rootOf(core, channel.id, thread_ts) : undefined
    core.note({ by: "chat.postMessage", message: args })
    const { userId: user, botId } = core.workspace.bot
    const message = postMessage(core.workspace, {
      channel: channel.id,
      user,
      botId,
      threadTs,
      metadata,
      ...content,
    })
    const { ts } = message
    return {
      channel: channel.id,
      ts,
      message: withMetadata(messageObject(core.workspace, message), metadata),
    }
  },
}

/** Returns the root of the thread that a reply goes to. @throws ApiError `thread_not_found`. */
export function rootOf(core: Core, channel: string, ts: string): string {
  const parent = core.workspace.messages.get(channel)?.get(ts)
  if (parent === undefined) throw new ApiError("thread_not_found")
  if (parent.threadTs === undefined) return ts
  core.violations.push(
    "`thread_ts` is a reply's ts: Slack documents the ts of the thread's root only",
  )
  return parent.threadTs
}

export function withMetadata(message: JsonObject, metadata: JsonObject | undefined): JsonObject {
  return metadata === undefined ? message : { ...message, metadata }
}
