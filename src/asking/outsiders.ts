import type { ProfileSource } from "../slack/profiles.ts"
import { orSlackError, SlackError } from "../slack/slack-error.ts"
import type { AccessRules } from "./access-rules.ts"

/** Message or file; `by` is its author, "" if unknown, absent for an app. */
type Part = { by?: string | undefined }

export type OutsidersAmong = ReturnType<typeof createOutsiders>

/**
 * Makes the look-up of guests and people of other organizations among the authors of a talk. It
 * resolves to a test for the parts that the agent may not see.
 */
export function createOutsiders(rules: AccessRules, profileOf: ProfileSource) {
  const isOutsider = async (user: string) => {
    if (rules.allowExternal) return false
    if (user === "") return true
    const profile = await profileOf(user).catch(orSlackError)
    if (!(profile instanceof SlackError)) return profile.isGuest || profile.isStranger
    // If Slack says nothing about a person, they may be a guest: the bot does not quote them.
    if (profile.verdict === "give_up") return true
    throw profile
  }
  return async (parts: readonly Part[]) => {
    const people = [...new Set(parts.flatMap(({ by }) => by ?? []))]
    const isOut = await Promise.all(people.map(isOutsider))
    const outsiders = new Set(people.filter((_, n) => isOut[n]))
    return ({ by }: Part) => by !== undefined && outsiders.has(by)
  }
}
