import { SlackError } from "../errors/slack-error.ts"
import { type AccessRules, type Profile, type Refusal, refusalOf } from "./rules.ts"

/** Where profiles come from. Throws SlackError when Slack does not tell. */
export type ProfileSource = (user: string) => Promise<Profile>

/**
 * Decides whether this person may ask here. Asked before a card and before anything is shown or changed.
 * @throws SlackError when Slack does not say who this is: nobody is let in on a guess
 */
export type Gate = (who: {
  user: string
  channel?: string | undefined
}) => Promise<{ profile: Profile } | { refusal: Refusal }>

export function createGate(rules: AccessRules, profileOf: ProfileSource): Gate {
  return async ({ user, channel }) => {
    const profile = await profileOf(user)
    const refusal = refusalOf(rules, profile, channel)
    return refusal ? { refusal } : { profile }
  }
}

/** Each name may need a call to Slack, so a text full of mentions must not cause thousands of them. */
const MOST_NAMES = 50

/** Names of people by their ids; those whom Slack does not tell are left out, and keep their id. */
export async function namesOf(
  users: readonly string[],
  profileOf: ProfileSource,
): Promise<Map<string, string>> {
  const names = new Map<string, string>()
  await Promise.all(
    [...new Set(users)].slice(0, MOST_NAMES).map(async (user) => {
      try {
        names.set(user, (await profileOf(user)).name)
      } catch (error) {
        if (!(error instanceof SlackError)) throw error
      }
    }),
  )
  return names
}
