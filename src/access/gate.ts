import { orSlackError, SlackError } from "../errors/slack-error.ts"
import { type AccessRules, mayAskIn, type Profile, type Refusal } from "./rules.ts"

/** Throws SlackError if Slack does not say who this is. */
export type ProfileSource = (user: string) => Promise<Profile>

/**
 * Decides whether this person may ask here. The bot calls it before it posts a card and before it
 * shows or changes anything. Throws SlackError like the source, because nobody is admitted on a guess.
 */
export type Gate = (who: {
  user: string
  channel?: string | undefined
}) => Promise<{ profile: Profile } | { refusal: Refusal }>

export function createGate(rules: AccessRules, profileOf: ProfileSource): Gate {
  return async ({ user, channel }) => {
    const profile = await profileOf(user)
    const { isBot, isStranger, isGuest } = profile
    if (isBot) return { refusal: "bot" }
    if (isStranger && !rules.allowExternal) return { refusal: "stranger" }
    if (isGuest && !rules.allowExternal) return { refusal: "guest" }
    const isListed = rules.users.size === 0 || rules.users.has(user) || rules.admins.has(user)
    if (!isListed) return { refusal: "user" }
    // The channel list also applies to admins, because it concerns places.
    return channel && !mayAskIn(rules, channel) ? { refusal: "channel" } : { profile }
  }
}

/**
 * Each name may need a call of `users.info`, of which Slack allows about 100 a minute ("Tier 4"), and
 * deciding who may ask needs them, too.
 */
const MOST_NAMES = 20

/** Looks up people's names by id. Leaves out those whom Slack does not name, so that they keep their id. */
export async function namesOf(
  users: readonly string[],
  profileOf: ProfileSource,
  most = MOST_NAMES,
): Promise<Map<string, string>> {
  const pairs = await Promise.all(
    [...new Set(users)].slice(0, most).map(async (user) => {
      const profile = await profileOf(user).catch(orSlackError)
      return profile instanceof SlackError ? [] : [[user, profile.name] as const]
    }),
  )
  return new Map(pairs.flat())
}
