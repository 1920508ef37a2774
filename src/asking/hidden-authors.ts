import type { Identity } from "../slack/identity.ts"
import type { ProfileSource } from "../slack/profiles.ts"
import type { Author } from "../slack/read-message.ts"
import { orSlackError, SlackError } from "../slack/slack-error.ts"
import type { AccessRules } from "./access-rules.ts"

type Part = { by?: Author }

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
  return async (parts: readonly Part[]) => {
    const people = [...new Set(parts.flatMap(({ by }) => by ?? []))]
    const isOut = await Promise.all(people.map(isOutsider))
    const outsiders = new Set(people.filter((_, n) => isOut[n]))
    return ({ by }: Part) => by !== undefined && outsiders.has(by)
  }
}
