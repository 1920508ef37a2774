import type { Context } from "../jobs/context.ts"
import type { ChannelFacts } from "../messages/refusals.ts"

/** Returns what a message about a channel that the bot can't post in names. @throws SlackError */
export async function channelFacts(
  { slack, settings }: Context,
  channel: string,
): Promise<ChannelFacts> {
  const { user: botUser } = await slack.state.whoWeAre()
  return { channel, botUser, admins: settings.access.admins }
}
