import type { Core } from "../core.ts"
import { type NewMessage, repliesTo, showEphemeral } from "../workspace/messages.ts"
import type { Message } from "../workspace/model.ts"
import { channelOf, isOwnDirectMessage } from "../workspace/workspace.ts"

/**
 * Shows a message to one person, if Slack would: "Ephemeral messages in threads are only shown if
 * there is already an active thread" (chat.postEphemeral). One that nobody sees is a violation.
 */
export function showPrivately(core: Core, reader: string, draft: NewMessage): Message | undefined {
  const { workspace, violations } = core
  const inOwnDirectMessage = isOwnDirectMessage(workspace, channelOf(workspace, draft.channel))
  core.note({ by: "privately", message: { text: draft.text }, inOwnDirectMessage })
  const { channel, threadTs } = draft
  if (threadTs === undefined || repliesTo(workspace, channel, threadTs).length > 0) {
    return showEphemeral(workspace, reader, draft)
  }
  violations.push("an ephemeral reply to a message without replies: Slack shows it to nobody")
  return undefined
}
