import type { SlackError } from "../errors/slack-error.ts"
import type { Job } from "../jobs/job.ts"
import type { Message } from "../ports/message.ts"
import { line } from "./blocks.ts"
import { foreignLine } from "./mrkdwn.ts"

const WHY: Record<string, string> = {
  not_in_channel: "Invite me with `/invite @Docs Agent`, then ask again.",
  channel_not_found: "Invite me with `/invite @Docs Agent`, then ask again.",
  is_archived: "The channel is archived. Ask in another one.",
  restricted_action: "Only some people may post there. Ask in another channel.",
  missing_scope: "The app is missing a permission. An admin can reinstall it with its manifest.",
}

/** Told to the requester alone when the card could not be posted. */
export function cannotPost(job: Job, code: string): Message {
  const where = job.channel.startsWith("D") ? "in this conversation" : `in <#${job.channel}>`
  const next = WHY[code] ?? `Slack says \`${foreignLine(code, 60)}\`.`
  return line(`:no_entry: *I can't post ${where}.* ${next} No job was used.`)
}

/** Slack's refusal of a post, as far as people need it. */
export type PostRefusal = Pick<SlackError, "code" | "verdict">

/**
 * Why nothing was posted in the channel somebody is in, and what to do about it.
 * @param again how it is tried once more @param unsure what to do where it may be posted after all
 */
export function cannotPostHere({ code, verdict }: PostRefusal, again: string, unsure: string) {
  if (verdict === "unknown")
    return line(`Slack's answer was unclear. If nothing appears in this channel, ${unsure}.`)
  if (verdict === "later")
    return line(
      `*Slack isn't accepting posts right now* (\`${foreignLine(code, 60)}\`). Wait a minute, then ${again}.`,
    )
  if (code === "not_in_channel" || code === "channel_not_found")
    return line(
      `*I can't post in this channel.* Invite me with \`/invite @Docs Agent\`, then ${again}.`,
    )
  return line(
    `*I can't post in this channel.* ${WHY[code] ?? `Slack says \`${foreignLine(code, 60)}\`.`}`,
  )
}
