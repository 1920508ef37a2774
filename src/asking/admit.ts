import { refusedAccess } from "../messages/refusals.ts"
import type { Message } from "../slack/message.ts"
import type { Profile } from "../slack/profiles.ts"
import { orSlackError } from "../slack/slack-error.ts"
import { type Access, checkAccess } from "./access-rules.ts"

/**
 * Checks whether this person may use the bot here; refuses if Slack does not say who they are. For
 * requests the worker checks this, so that their acknowledgement does not wait for Slack.
 */
export async function admit(
  context: Access,
  { user, channel }: { user: string; channel?: string | undefined },
): Promise<{ profile: Profile } | { refusal: Message }> {
  const entry = await checkAccess(context, { user, channel }).catch((error: unknown) => {
    orSlackError(error)
    return { refusal: "unclear" as const }
  })
  if ("profile" in entry) return entry
  return {
    refusal: refusedAccess(entry.refusal, {
      user,
      admins: context.settings.access.admins,
    }),
  }
}
