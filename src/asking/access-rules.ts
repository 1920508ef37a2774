import type { Config } from "../config/config.ts"
import type { Context } from "../jobs/context.ts"
import type { Refusal } from "../messages/refusals.ts"
import type { Profile } from "../slack/profiles.ts"

export type AccessRules = Config["access"]

/** Returns whether people may ask in this channel. They always may in direct messages. */
export function mayAskIn({ channels }: AccessRules, channel: string): boolean {
  return channels.size === 0 || channel.startsWith("D") || channels.has(channel)
}

function refusalFor(
  rules: AccessRules,
  { isBot, isStranger, isGuest }: Profile,
  { user, channel }: { user: string; channel?: string | undefined },
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
  asker: { user: string; channel?: string | undefined },
): Promise<{ profile: Profile } | { refusal: Refusal }> {
  const profile = await slack.profileOf(asker.user)
  const refusal = refusalFor(settings.access, profile, asker)
  return refusal ? { refusal } : { profile }
}

/** Returns whether a user may act on requests or a job: only their requesters and admins may. */
export function mayActOn(
  { admins }: AccessRules,
  user: string,
  of: readonly { user: string }[],
): boolean {
  return admins.includes(user) || of.some((one) => one.user === user)
}
