import { WebAPIPlatformError, type WebClient } from "@slack/web-api"

/** "Declaring an app as an agent adds the assistant:write scope to it" (Agent sessions). */
const AGENT_SCOPE = "assistant:write"

/**
 * Is the app an agent that this channel does not have among its members? With `chat:write.public`
 * it can post there all the same; everything else fails with `not_authorized`, as it does for an
 * app that is no agent.
 * @param scopes those of the token, as far as they are known
 */
export function createIsOutside(client: WebClient, scopes: () => readonly string[]) {
  return async (channel: string): Promise<boolean> => {
    if (!scopes().includes(AGENT_SCOPE)) return false
    const error = await client.conversations.history({ channel, limit: 1 }).then(
      () => undefined,
      (cause: unknown) => cause,
    )
    return error instanceof WebAPIPlatformError && error.data.error === "not_in_channel"
  }
}
