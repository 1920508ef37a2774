import { compact, type JsonObject } from "../../kit/json.ts"
import type { Core } from "../core.ts"
import { fileObject } from "../workspace/files.ts"
import type { User } from "../workspace/model.ts"
import { channelOf } from "../workspace/workspace.ts"
import { findMessage, type MessageRef } from "./target.ts"

/** Returns the attachment of a forwarded message, with its text, blocks and files. */
export function forwarded(core: Core, user: User, ref: MessageRef): JsonObject {
  const { channel, ts, text, blocks, files, user: author, threadTs } = findMessage(core, user, ref)
  const { team, users } = core.workspace
  const { name } = channelOf(core.workspace, channel)
  const path = `${channel}/p${ts.replace(".", "")}`
  return compact({
    is_msg_unfurl: true,
    is_share: true,
    channel_id: channel,
    channel_team: team.id,
    ts,
    author_id: author || undefined,
    author_name: users.get(author)?.realName,
    footer: threadTs === undefined ? `Posted in #${name}` : `From a thread in #${name}`,
    from_url: `https://${team.domain}.slack.com/archives/${path}`,
    fallback: `[${users.get(author)?.name ?? ""}] ${text}`,
    text,
    message_blocks:
      blocks.length > 0
        ? [{ team: team.id, channel, ts, message: { blocks: [...blocks] } }]
        : undefined,
    files: files.length > 0 ? files.map((file) => fileObject(core.workspace, file)) : undefined,
    mrkdwn_in: ["text"],
  })
}
