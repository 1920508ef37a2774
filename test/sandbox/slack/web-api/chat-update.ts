import { z } from "zod"
import { countChars } from "../block-kit/fields.ts"
import type { Core } from "../core.ts"
import { messageObject } from "../workspace/api-objects.ts"
import { editMessage } from "../workspace/messages.ts"
import type { Message } from "../workspace/model.ts"
import { ApiError } from "./api-error.ts"
import { checkArguments } from "./arguments.ts"
import { visibleChannel } from "./channels.ts"
import { checkContent, checkMetadata } from "./content.ts"
import type { Method } from "./method.ts"
import { tier3 } from "./rate-limits.ts"
import { id } from "./schemas.ts"

/** Maximum characters of an edit; posts may be longer. */
const UPDATE_TEXT_CHARS = 4_000

const schema = z.object({ channel: id, ts: id, text: z.string().optional() })

export const chatUpdate: Method = {
  token: "bot",
  scopes: ["chat:write"],
  limit: tier3,
  run(core, args) {
    const { channel, ts, text } = checkArguments(schema, args)
    const message = ownMessage(core, channel, ts)
    if (countChars(text ?? "") > UPDATE_TEXT_CHARS) throw new ApiError("msg_too_long")
    const content = checkContent(core, args)
    const metadata = checkMetadata(args)
    core.note({ by: "chat.update", message: args })
    const edited = editMessage(core.workspace, message, {
      text: content.text,
      // An edit with text alone removes the blocks.
      blocks: content.blocks ?? [],
      metadata,
      marked: content.blocks === undefined,
    })
    return { channel, ts, text: edited.text, message: messageObject(core.workspace, edited) }
  },
}

function ownMessage(core: Core, channelId: string, ts: string): Message {
  const channel = visibleChannel(core, channelId)
  const message = core.workspace.messages.get(channel.id)?.get(ts)
  if (message === undefined || message.subtype === "tombstone") {
    throw new ApiError("message_not_found")
  }
  if (message.botId !== core.workspace.bot.botId) throw new ApiError("cant_update_message")
  if (channel.archived) throw new ApiError("is_archived")
  return message
}
