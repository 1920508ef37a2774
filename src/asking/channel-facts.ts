import type { Context } from "../jobs/context.ts"
import type { ChannelFacts } from "../messages/refusals.ts"

/** What `channelFacts` looks at: whom to invite, and who else may help. */
export interface Inviting {
  slack: { state: Pick<Context["slack"]["state"], "whoWeAre"> }
  settings: { access: { admins: readonly string[] } }
}

/** Returns what a message about a channel that the bot can't post in names. @throws SlackError */
export async function channelFacts(
  { slack, settings }: Inviting,
  channel: string,
): Promise<ChannelFacts> {
  const { user: botUser } = await slack.state.whoWeAre()
  return { channel, botUser, admins: settings.access.admins }
}
