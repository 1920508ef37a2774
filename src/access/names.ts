import { SlackError } from "../errors/slack-error.ts"
import type { ProfileSource } from "./gate.ts"

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
