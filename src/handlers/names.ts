import type { ProfileSource } from "../access/gate.ts"
import { SlackError } from "../errors/slack-error.ts"
import { mentionedUsers, toPlainText } from "../text/plain-text.ts"

/** Each name may need a call to Slack, so a text full of mentions must not cause thousands of them. */
const MOST_NAMES = 50

/** Names for the people mentioned in a text; those that Slack does not know keep their id. */
export async function namesIn(
  text: string,
  profileOf: ProfileSource,
): Promise<Map<string, string>> {
  const names = new Map<string, string>()
  await Promise.all(
    [...new Set(mentionedUsers(text))].slice(0, MOST_NAMES).map(async (user) => {
      try {
        names.set(user, (await profileOf(user)).name)
      } catch (error) {
        if (!(error instanceof SlackError)) throw error
      }
    }),
  )
  return names
}

/** What a person typed, with names for the people they mention. */
export async function plainText(text: string, profileOf: ProfileSource): Promise<string> {
  return toPlainText(text, await namesIn(text, profileOf))
}
