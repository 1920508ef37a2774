/** The people and places that the settings allow. */
export interface AccessRules {
  /** The allowed channels; empty: anywhere. */
  channels: ReadonlySet<string>
  /** The allowed members; empty: anyone in the workspace. */
  users: ReadonlySet<string>
  admins: ReadonlySet<string>
  /** True if guests and people of other workspaces may ask. */
  allowExternal: boolean
}

/** A person as Slack describes them. */
export interface Profile {
  user: string
  name: string
  team: string
  isGuest: boolean
  /** True for a person from another workspace, in a shared channel. */
  isStranger: boolean
  isBot: boolean
  /** IANA name of their time zone. */
  timeZone: string
}

export type Refusal = "channel" | "user" | "guest" | "stranger" | "bot"

/**
 * Returns why this person may not ask here, if so. The channel list also applies to admins, because
 * it concerns places. Pure.
 */
export function refusalOf(
  rules: AccessRules,
  person: Profile,
  channel: string | undefined,
): Refusal | undefined {
  if (person.isBot) return "bot"
  if (person.isStranger && !rules.allowExternal) return "stranger"
  if (person.isGuest && !rules.allowExternal) return "guest"
  const isAdmin = rules.admins.has(person.user)
  if (rules.users.size > 0 && !rules.users.has(person.user) && !isAdmin) return "user"
  return channel && !mayAskIn(rules, channel) ? "channel" : undefined
}

/** Returns whether people may ask in this channel. They always may in direct messages. */
export function mayAskIn({ channels }: AccessRules, channel: string): boolean {
  return channels.size === 0 || channel.startsWith("D") || channels.has(channel)
}

/** Returns whether a user may act on a job: only its requester and admins may. */
export function mayActOn(rules: AccessRules, user: string, requester: string): boolean {
  return user === requester || rules.admins.has(user)
}
