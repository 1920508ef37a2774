import { orSlackError, SlackError } from "../errors/slack-error.ts"
import type { Outbound, PostKey } from "../ports/outbound.ts"

/** The channel does not take posts of ours any more, whatever we send. */
export const CHANNEL_GONE = new Set([
  "channel_not_found",
  "not_in_channel",
  "is_archived",
  "restricted_action",
  "restricted_action_read_only_channel",
  "restricted_action_thread_only_channel",
  "restricted_action_non_threadable_channel",
])

/**
 * Was a post of a schedule made after all, whose answer never came? Where the channel cannot be read it
 * counts as made: never twice, and perhaps once missed. A SlackError while Slack does not say.
 */
export async function lookForPost(
  { outbound }: { outbound: Pick<Outbound, "find"> },
  channel: string,
  key: PostKey,
): Promise<"posted" | "absent" | SlackError> {
  const found = await outbound.find({ channel }, key).catch(orSlackError)
  if (found === "absent") return "absent"
  return found instanceof SlackError && found.verdict !== "give_up" ? found : "posted"
}
