import type { Context } from "../jobs/context.ts"
import { adminsOnly } from "../messages/private-answers.ts"
import { refusedAccess } from "../messages/refusals.ts"
import type { Message } from "../slack/message.ts"
import type { Profile } from "../slack/profiles.ts"
import { orSlackError } from "../slack/slack-error.ts"
import { checkAccess } from "./access-rules.ts"
import type { Reply } from "./reply.ts"

/**
 * Checks whether this person may use the bot here; refuses if Slack does not say who they are. For
 * requests the worker checks this, so that their acknowledgement does not wait for Slack.
 */
export async function admit(
  context: Context,
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

interface Person {
  user: string
  channel?: string | undefined
}
type Answer<Room, From, More extends unknown[] = []> = (
  room: Room,
  from: From,
  ...more: More
) => Promise<Reply>

/** Checks access at every command and click, because everybody in the channel sees the buttons. */
export function admitted<Room extends { context: Context }, From extends Person>(
  answer: Answer<Room, From, [Profile]>,
): Answer<Room, From> {
  return async (room, from) => {
    const entry = await admit(room.context, from)
    return "refusal" in entry ? { ack: entry.refusal } : answer(room, from, entry.profile)
  }
}

/** Lets only admins do something. @param what as in "Only an admin can …" */
export function forAdmins<From extends Person>(
  what: string,
  answer: Answer<Context, From>,
): Answer<Context, From> {
  return async (context, from) => {
    const { admins } = context.settings.access
    return admins.includes(from.user) ? answer(context, from) : { ack: adminsOnly(admins, what) }
  }
}
