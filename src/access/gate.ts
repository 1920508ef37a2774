import { type AccessRules, type Profile, type Refusal, refusalOf } from "./rules.ts"

/** Where profiles come from. Throws SlackError when Slack does not tell. */
export type ProfileSource = (user: string) => Promise<Profile>

/**
 * May this person ask here? Asked before a card and before anything is shown or changed.
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
