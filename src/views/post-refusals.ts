import type { SlackError } from "../errors/slack-error.ts"
import { BROKEN } from "../jobs/delivery-failure.ts"
import type { Job } from "../jobs/job.ts"
import type { Message } from "../ports/message.ts"
import { line } from "./blocks.ts"
import { foreignLine } from "./mrkdwn.ts"

const WHY: Record<string, string> = {
  not_in_channel: "Invite me with `/invite @Docs Agent`, then ask again.",
  channel_not_found: "Invite me with `/invite @Docs Agent`, then ask again.",
  is_archived: "The channel is archived. Ask in another one.",
  restricted_action: "Only some people may post there. Ask in another channel.",
  [BROKEN]: "Something went wrong on my side. Ask again in other words.",
  missing_scope: "The app is missing a permission. An admin can reinstall it with its manifest.",
}

/** Told to the requester alone when the card could not be posted. */
export function cannotPost(job: Job, code: string): Message {
  const where = isBetweenPeople(job.channel) ? "in this conversation" : `in <#${job.channel}>`
  return line(`:no_entry: *I can't post ${where}.* ${nextFor(job.channel, code)} No job was used.`)
}

/** A direct message in which the bot cannot post is one between two people, into which nobody can invite it. */
function isBetweenPeople(channel: string): boolean {
  return channel.startsWith("D")
}

function nextFor(channel: string, code: string): string {
  if (NOT_IN.has(code) && isBetweenPeople(channel)) return ELSEWHERE
  return WHY[code] ?? `Slack says \`${foreignLine(code, 60)}\`.`
}

const NOT_IN = new Set(["not_in_channel", "channel_not_found"])
const ELSEWHERE = "Ask me in a direct message with me, or in a channel that I'm in."

/** Slack's refusal of a post, as far as people need it. */
export type PostRefusal = Pick<SlackError, "code" | "verdict">

/**
 * Why nothing was posted in the channel somebody is in, and what to do about it.
 * @param words `again`: how it is tried once more; `unsure`: what to do where it may be posted after all
 */
export function cannotPostHere(
  { code, verdict }: PostRefusal,
  channel: string,
  words: { again: string; unsure: string },
): Message {
  const { again, unsure } = words
  if (verdict === "unknown")
    return line(`Slack's answer was unclear. If nothing appears in this channel, ${unsure}.`)
  if (verdict === "later")
    return line(
      `*Slack isn't accepting posts right now* (\`${foreignLine(code, 60)}\`). Wait a minute, then ${again}.`,
    )
  if (isBetweenPeople(channel))
    return line(`*I can't post in this conversation.* ${nextFor(channel, code)}`)
  if (NOT_IN.has(code))
    return line(
      `*I can't post in this channel.* Invite me with \`/invite @Docs Agent\`, then ${again}.`,
    )
  return line(`*I can't post in this channel.* ${nextFor(channel, code)}`)
}
