import { orSlackError, SlackError } from "../errors/slack-error.ts"
import { type AccessRules, type Profile, type Refusal, refusalOf } from "./rules.ts"

/** Where profiles come from. Throws SlackError when Slack does not tell. */
export type ProfileSource = (user: string) => Promise<Profile>

type Admission =
  | { allowed: true; profile: Profile }
  | { allowed: false; refusal: Refusal }
  /** Slack did not say who this is: nobody is let in on a guess. */
  | { allowed: false; refusal: "unclear"; error: SlackError }

/** May this person ask here? Asked before anything is spent or changed. */
export type Gate = (who: { user: string; channel?: string | undefined }) => Promise<Admission>

export function createGate(rules: AccessRules, profileOf: ProfileSource): Gate {
  return async ({ user, channel }) => {
    const profile = await profileOf(user).catch(orSlackError)
    if (profile instanceof SlackError) return { allowed: false, refusal: "unclear", error: profile }
    const refusal = refusalOf(rules, profile, channel)
    return refusal ? { allowed: false, refusal } : { allowed: true, profile }
  }
}
