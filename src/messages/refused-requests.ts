import type { Full } from "../jobs/request-record.ts"
import type { Message } from "../slack/message-types.ts"
import type { SlackError } from "../slack/slack-error.ts"
import { MAX_INPUT } from "./ask-form-view.ts"
import { line } from "./blocks.ts"
import { anAdmin, counted, foreignLine, mention } from "./mrkdwn.ts"
import { aboutRequest, type KeptRequest } from "./questions.ts"

const IN_DIRECT = { action: "run_in_direct", label: "Run it in a direct message" }
const IN_FORM = { action: "open_draft", label: "Edit and send again" }

/** Reason why a person may not ask, at all or in this channel. */
export type Refusal = "channel" | "user" | "guest" | "stranger" | "bot"

function refuse(text: string, request?: KeptRequest, buttons = [IN_FORM]): Message {
  if (!request) return line(text)
  const isCut = buttons.includes(IN_FORM) && Array.from(request.words).length > MAX_INPUT
  const opened = ` *Edit and send again* opens the first ${MAX_INPUT.toLocaleString("en")} characters.`
  return aboutRequest(isCut ? `${text}${opened}` : text, request, buttons)
}

export function refusedAccess(
  refusal: Refusal | "unclear" | "unreadable" | "broken",
  { user, admins }: { user: string; admins: readonly string[] },
  request?: KeptRequest,
): Message {
  const who = anAdmin(admins)
  const access = `Ask ${who} for access and send them your member ID: \`${foreignLine(user, 20)}\`.`
  const isAdmin = admins.includes(user)
  const allow = isAdmin ? "add this one to `ALLOWED_CHANNELS`" : `ask ${who} to allow this one`
  const texts = {
    unclear: `*I couldn't verify your Slack account.* Try again in a minute. If it keeps happening, tell ${who}.`,
    unreadable: `*One of your requests didn't start*: I couldn't read its stored text. Send it again. If it keeps happening, tell ${who}.`,
    broken: `*One of your requests didn't start*: something went wrong. Send it again. If it keeps happening, tell ${who}.`,
    channel: `*I can't take requests in this channel.* Use another one, or ${allow}.`,
    user: `*You don't have access to Docs Agent.* ${access}`,
    guest: `*Guests can't use Docs Agent here.* ${access}`,
    stranger: `*People from other workspaces can't use Docs Agent here.* ${access}`,
    bot: "*Apps and deactivated accounts can't use Docs Agent.*",
  }
  const isToRepeat = refusal === "unclear" || refusal === "broken"
  const buttons = isToRepeat ? [IN_FORM] : refusal === "channel" ? [IN_DIRECT] : []
  return refuse(texts[refusal], request, buttons)
}

export type ChannelFacts = { channel: string; botUser: string; admins: readonly string[] }

/** Code for a card that the bot could not write because of its own bug. */
export const BROKEN_HERE = "broken_here"

export function cannotPost(code: string, where: ChannelFacts, request?: KeptRequest): Message {
  const text =
    code === BROKEN_HERE
      ? `*Something went wrong.* Send it again. If it keeps happening, tell ${anAdmin(where.admins)}.`
      : refusedPost(code, where, "send it again")
  return refuse(text, request, [IN_DIRECT, IN_FORM])
}

export type PostRefusal = Pick<SlackError, "code" | "verdict">

/** Explains that the bot can't post. `again`: how to retry; `unsure`: text if it's unclear. */
export function cannotPostHere(
  { code, verdict }: PostRefusal,
  where: ChannelFacts,
  { again, unsure }: { again: string; unsure: string },
): Message {
  if (verdict === "unknown") return line(unsure)
  if (verdict === "give_up") return line(refusedPost(code, where, again))
  return line(
    `*Slack isn't accepting posts right now* (\`${foreignLine(code, 60)}\`). Wait a minute, then ${again}.`,
  )
}

/** Texts for `cannotPostHere` if Slack did not confirm that something was turned on. */
export const NOT_TURNED_ON = {
  again: "turn it on again",
  unsure: "*Not turned on*: Slack didn't confirm my post. Try again.",
}

function refusedPost(code: string, where: ChannelFacts, again: string): string {
  const { channel, botUser, admins } = where
  // The bot's own direct messages never refuse it, so this one is between people.
  if (channel.startsWith("D"))
    return "*I can't post in this conversation.* DM me, or ask in a channel I'm in."
  const here = `*I can't post in <#${channel}>.*`
  if (code === "not_in_channel" || code === "channel_not_found")
    return `${here} Invite me with \`/invite\` ${mention(botUser)}, then ${again}.`
  if (code === "thread_not_found")
    return `*The message I'd answer was deleted*, so I didn't start anything. If you still want it, ${again}.`
  const who = anAdmin(admins)
  if (code === "missing_scope")
    return `${here} I'm missing a permission: ask ${who} to reinstall me.`
  return `${here} Slack's answer was \`${foreignLine(code, 60)}\`. Use another channel, or tell ${who}.`
}

export function fullMessage(full: Full, admins: readonly string[], request?: KeptRequest): Message {
  return refuse(fullWords(full, admins), request)
}

function fullWords(full: Full, admins: readonly string[]): string {
  if (full.outcome === "no_room")
    return `*I can't take new requests right now.* Queued ones aren't affected. Tell ${anAdmin(admins)} that Redis is almost full.`
  const texts = {
    follow_ups: `*${counted(full.most, "follow-up")} are waiting here*, the maximum. Send this one after the agent finishes.`,
    bytes: `*The follow-ups waiting here are too long*: their words and files can have ${counted(Math.floor(full.most / 1000), "kB", "kB")} in all. Shorten this one, or send it after the agent finishes.`,
    waiting: `*You have ${counted(full.most, "request")} queued*, the maximum. Cancel one, or wait until one starts.`,
  }
  return texts[full.of]
}

/** Refuses a name of no project. Only for people who may ask: it names all. */
export function unknownProjectMessage(
  name = "",
  projects: readonly string[],
  request?: KeptRequest,
): Message {
  // A section has room for 50 names of 40 characters.
  const known = projects.slice(0, 50).map((project) => `\`${foreignLine(project, 40)}\``)
  const left = projects.length - known.length
  const names = [...known, ...(left > 0 ? [`and ${left} more`] : [])].join(", ")
  const text = `*There's no project \`${foreignLine(name, 40)}\`.* Choose one of these: ${names}.`
  return refuse(text, request)
}

export function troubleMessage(
  trouble: "broken" | "disconnected" | "unanswerable" | "file_rejected" | "review_unread",
  admins: readonly string[],
  code = "",
  request?: KeptRequest,
): Message {
  const who = anAdmin(admins)
  const shown = `\`${foreignLine(code, 60)}\``
  const texts = {
    broken: `*Something went wrong.* Try again. If it keeps happening, tell ${who}.`,
    review_unread: `*I couldn't read the review.* Try again in a minute. If it keeps happening, tell ${who}.`,
    disconnected: `*I can't start requests right now*: Slack rejected my token (${shown}). Ask ${who} to replace \`SLACK_BOT_TOKEN\`.`,
    unanswerable: `*I couldn't answer here* (Slack: ${shown}). Try again. If it keeps happening, tell ${who}.`,
    file_rejected: `*Slack rejected the file* (${shown}). ${code === "storage_limit_reached" ? "Delete some files in Slack to make room, then try again." : "Try again. If it keeps happening, run `/docs-agent doctor`."}`,
  }
  return refuse(texts[trouble], request)
}
