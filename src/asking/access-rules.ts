import type { Context } from "../jobs/context.ts"
import { adminsOnly } from "../messages/refused-actions.ts"
import { type Refusal, refusedAccess } from "../messages/refused-requests.ts"
import type { Identity } from "../slack/identity.ts"
import type { Message } from "../slack/message-types.ts"
import type { Profile, ProfileSource } from "../slack/profiles.ts"
import type { Author } from "../slack/read-message.ts"
import { orSlackError, SlackError } from "../slack/slack-error.ts"
import type { Reply } from "./work-after-ack.ts"

export type AccessRules = Context["settings"]["access"]

interface Person {
  user: string
  channel?: string | undefined
}

/** Returns whether people may ask in this channel. They always may in direct messages. */
export function mayAskIn({ channels }: AccessRules, channel: string): boolean {
  return channels.size === 0 || channel.startsWith("D") || channels.has(channel)
}

function refusalFor(
  rules: AccessRules,
  { isBot, isStranger, isGuest }: Profile,
  { user, channel }: Person,
): Refusal | undefined {
  if (isBot) return "bot"
  if (isStranger && !rules.allowExternal) return "stranger"
  if (isGuest && !rules.allowExternal) return "guest"
  const isListed = rules.users.size === 0 || rules.users.has(user) || rules.admins.includes(user)
  if (!isListed) return "user"
  // The channel list also applies to admins, because it restricts channels and not people.
  return channel && !mayAskIn(rules, channel) ? "channel" : undefined
}

/**
 * Checks whether this person may ask here, before the bot posts a card or sends a request.
 * @throws SlackError if Slack does not answer, because the bot admits nobody whom Slack has not
 * confirmed
 */
export async function checkAccess(
  { slack, settings }: Context,
  asker: Person,
): Promise<{ profile: Profile } | { refusal: Refusal }> {
  const profile = await slack.profileOf(asker.user)
  const refusal = refusalFor(settings.access, profile, asker)
  return refusal ? { refusal } : { profile }
}

/** Checks again whether somebody may ask here; undefined if so, or if Slack does not answer. */
export async function refusedSince(
  context: Context,
  asker: { user: string; channel: string },
): Promise<Refusal | undefined> {
  const entry = await checkAccess(context, asker).catch(orSlackError)
  return "refusal" in entry ? entry.refusal : undefined
}

/** Returns whether a user may act on requests or a job: only their requesters and admins may. */
export function mayActOn(
  { admins }: AccessRules,
  user: string,
  of: readonly { user: string }[],
): boolean {
  return admins.includes(user) || of.some((one) => one.user === user)
}

/**
 * Checks whether this person may use the bot here; refuses if Slack does not say who they are. For
 * requests the worker checks this, so that their acknowledgement does not wait for Slack.
 */
export async function admit(
  context: Context,
  { user, channel }: Person,
): Promise<{ profile: Profile } | { refusal: Message }> {
  const entry = await checkAccess(context, { user, channel }).catch((error: unknown) => {
    orSlackError(error)
    return { refusal: "unclear" as const }
  })
  if ("profile" in entry) return entry
  return {
    refusal: refusedAccess(entry.refusal, {
      user,
      admins: context.settings.access.admins,
    }),
  }
}

type Answer<Room, From, More extends unknown[] = []> = (
  room: Room,
  from: From,
  ...more: More
) => Promise<Reply>

/** Checks access at every command and click, because everybody in the channel sees the buttons. */
export function admitted<Room extends { context: Context }, From extends Person>(
  answer: Answer<Room, From, [Profile]>,
): Answer<Room, From> {
  return async (room, from) => {
    const entry = await admit(room.context, from)
    return "refusal" in entry ? { ack: entry.refusal } : answer(room, from, entry.profile)
  }
}

/** Lets only admins do something. @param what as in "Only an admin can …" */
export function forAdmins<From extends Person>(
  what: string,
  answer: Answer<Context, From>,
): Answer<Context, From> {
  return async (context, from) => {
    const { admins } = context.settings.access
    return admins.includes(from.user) ? answer(context, from) : { ack: adminsOnly(admins, what) }
  }
}

type QuotedPart = { by?: Author }

/**
 * Makes the look-up of guests, and of people and apps of other organizations, among the authors of a
 * talk. It resolves to a test for the parts that the agent may not see.
 */
export function createOutsiders(
  rules: AccessRules,
  profileOf: ProfileSource,
  home: () => Promise<Pick<Identity, "team" | "enterprise">>,
) {
  const isOutsider = async (user: string) => {
    if (rules.allowExternal) return false
    if (user === "") return true
    const [, team] = /^team:(.*)$/.exec(user) ?? []
    const ours = team === undefined ? undefined : await home()
    if (ours) return team !== ours.team && team !== ours.enterprise
    const profile = await profileOf(user).catch(orSlackError)
    if (!(profile instanceof SlackError)) return profile.isGuest || profile.isStranger
    // If Slack says nothing about a person, they may be a guest: the bot does not quote them.
    if (profile.verdict === "give_up") return true
    throw profile
  }
  return async (parts: readonly QuotedPart[]) => {
    const people = [...new Set(parts.flatMap(({ by }) => by ?? []))]
    const isOut = await Promise.all(people.map(isOutsider))
    const outsiders = new Set(people.filter((_, n) => isOut[n]))
    return ({ by }: QuotedPart) => by !== undefined && outsiders.has(by)
  }
}
