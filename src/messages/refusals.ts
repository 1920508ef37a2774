import type { Refusal } from "../access/rules.ts"
import type { SlackError } from "../errors/slack-error.ts"
import type { Message } from "../ports/message.ts"
import { type ButtonSpec, line } from "./blocks.ts"
import { anAdmin, foreignLine, mention } from "./mrkdwn.ts"
import { aboutRequest, type KeptRequest } from "./private.ts"

const IN_DIRECT = { action: "run_in_direct", label: "Run it in a direct message" }
const IN_FORM = { action: "open_draft", label: "Edit and send again" }

/** Refuses a request without losing it. */
function refuse(
  text: string,
  request: KeptRequest | undefined,
  buttons: readonly Omit<ButtonSpec, "value">[] = [IN_FORM],
): Message {
  return request ? aboutRequest(text, request, buttons) : line(text)
}

/** Refuses somebody privately, with whom to ask and the id that they need to be let in. */
export function refusedAccess(
  refusal: Refusal | "unclear",
  {
    user,
    admins,
    request,
  }: { user: string; admins: readonly string[]; request?: KeptRequest | undefined },
): Message {
  const who = anAdmin(admins)
  if (refusal === "unclear")
    return refuse(
      `*I couldn't verify your Slack account.* Try again in a minute. If it keeps happening, ask ${who}.`,
      request,
    )
  const how =
    refusal === "channel"
      ? `Ask in another one, or ask ${who} to allow it.`
      : `Ask ${who} for access and send them your member ID: \`${foreignLine(user, 20)}\`.`
  return refuse(`*${ACCESS[refusal]}* ${how}`, request, refusal === "channel" ? [IN_DIRECT] : [])
}

const ACCESS: Record<Refusal, string> = {
  channel: "I can't take requests in this channel.",
  user: "You don't have access to Docs Agent.",
  guest: "Guests can't use Docs Agent here.",
  stranger: "People from other workspaces can't use Docs Agent here.",
  bot: "Apps and deactivated accounts can't use Docs Agent.",
}

export interface Place {
  channel: string
  /** The bot's own Slack id: people invite it by it. */
  botUser?: string | undefined
  admins?: readonly string[]
}

/** Looks up what people need to know to let the bot into a channel. */
export type PlaceOf = (channel: string) => Promise<Place>

const NOT_IN = new Set(["not_in_channel", "channel_not_found"])

/** Says why a request was not started where it was asked: the bot cannot post there. */
export function cannotPost(code: string, place: Place, request?: KeptRequest): Message {
  const where = isBetweenPeople(place) ? "in this conversation" : `in <#${place.channel}>`
  const how = NOT_IN.has(code) && !isBetweenPeople(place) ? `${invite(place)}, then ask again.` : ""
  return refuse(`*I can't post ${where}.* ${how || wayAround(code, place)}`, request, [
    IN_DIRECT,
    IN_FORM,
  ])
}

/** Says the same in a form, where a mention of the bot is not shown as one. */
export function cannotPostInForm(): Message {
  return line("I'm not in that channel. Choose another one, or invite me there first.")
}

function invite({ botUser }: Place): string {
  return botUser ? `Invite me with \`/invite\` ${mention(botUser)}` : "Invite me to the channel"
}

/** A direct message in which the bot cannot post is one between two people: nobody can invite it there. */
function isBetweenPeople({ channel }: Place): boolean {
  return channel.startsWith("D")
}

function wayAround(code: string, place: Place): string {
  if (NOT_IN.has(code)) return "DM me, or ask in a channel I'm in."
  const known: Record<string, string> = {
    is_archived: "The channel is archived. Ask in another one.",
    restricted_action: "Posting there is restricted. Ask in another channel.",
    restricted_action_read_only_channel: "Only some people may post there. Ask in another channel.",
    restricted_action_thread_only_channel: "Only replies may be posted there. Ask in a thread.",
    restricted_action_non_threadable_channel: "Threads are off there. Ask in another channel.",
    restricted_action_thread_locked: "That thread is locked. Ask in another one.",
    missing_scope: `I'm missing a permission: ask ${anAdmin(place.admins ?? [])} to reinstall me.`,
  }
  return Object.hasOwn(known, code)
    ? `${known[code]}`
    : `Ask in another channel, or tell ${anAdmin(place.admins ?? [])} (Slack: \`${foreignLine(code, 60)}\`).`
}

/** A refusal of a post by Slack, as far as people need it. */
export type PostRefusal = Pick<SlackError, "code" | "verdict">

/**
 * Says why nothing was posted in the channel somebody is in, and what to do about it.
 * @param words `again`: how it is tried once more; `unsure`: what to do where it may be posted after all
 */
export function cannotPostHere(
  { code, verdict }: PostRefusal,
  place: Place,
  { again, unsure }: { again: string; unsure: string },
): Message {
  if (verdict === "unknown")
    return line(`I'm not sure that worked. If nothing appears here, ${unsure}.`)
  if (verdict === "later")
    return line(
      `*Slack isn't accepting posts right now* (\`${foreignLine(code, 60)}\`). Wait a minute, then ${again}.`,
    )
  if (NOT_IN.has(code) && !isBetweenPeople(place))
    return line(`*I can't post in this channel.* ${invite(place)}, then ${again}.`)
  const where = isBetweenPeople(place) ? "conversation" : "channel"
  return line(`*I can't post in this ${where}.* ${wayAround(code, place)}`)
}

/** Reasons why no more is taken in: of this person, or of anybody. */
type Full =
  | { of: "waiting"; waiting: number }
  | { of: "follow_ups" }
  | { of: "too_much" }
  | { of: "no_room"; admins: readonly string[] }

export function fullMessage(full: Full, request?: KeptRequest): Message {
  switch (full.of) {
    case "waiting":
      return refuse(
        `*You have ${full.waiting} requests queued*, the maximum. Cancel one, or wait until one starts.`,
        request,
      )
    case "follow_ups":
      return refuse(
        "*Too many follow-ups are waiting here.* Send this one when the agent has finished.",
        request,
      )
    case "too_much":
      return refuse(
        "*You've reached the size limit for open requests.* Cancel one, or wait until one finishes.",
        request,
      )
    case "no_room":
      return refuse(
        `*I can't take new requests right now.* Queued ones aren't affected. To fix this, ${anAdmin(full.admins)} can give Redis more memory.`,
        request,
      )
  }
}

export function tooLongMessage(length: number, max: number, request?: KeptRequest): Message {
  const [is, most] = [length, max].map((count) => count.toLocaleString("en"))
  return refuse(
    `*That's too long* (${is} of ${most} characters). Shorten it, or attach the rest as a text file.`,
    request,
  )
}

export function blankMessage(botUser: string): Message {
  return line(`*What should change in the docs?* Try: ${mention(botUser)} fix the quickstart`)
}

/** So many names of 40 characters fit into one text block. */
const NAMES_SHOWN = 50

export function unknownProjectMessage(
  name: string,
  projects: readonly string[],
  request?: KeptRequest,
): Message {
  const known = projects.slice(0, NAMES_SHOWN).map((project) => `\`${foreignLine(project, 40)}\``)
  const left = projects.length - known.length
  const names = [...known, ...(left > 0 ? [`and ${left} more`] : [])].join(", ")
  return refuse(
    `*There's no project \`${foreignLine(name, 40)}\`.* Choose one of these: ${names}.`,
    request,
  )
}
