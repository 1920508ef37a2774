import type { WebClient } from "@slack/web-api"

/**
 * Proves that the bot is a member of a channel: only a read of its history that succeeded does. Whatever
 * Slack refuses says nothing of the kind.
 */
export function createIsInside(client: WebClient) {
  return async (channel: string): Promise<boolean> =>
    client.conversations.history({ channel, limit: 1 }).then(
      () => true,
      () => false,
    )
}
