import type { WebClient } from "@slack/web-api"
import { withTimeout } from "../runtime/time.ts"
import { codeOf } from "./verdict.ts"

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

/** A form waits for its answer: what Slack has not said by then says nothing, ms. */
const SOON_MS = 1000

/**
 * Proves that the bot may not post in a channel: it is not in there, and its token does not let it post
 * elsewhere. Whatever is unclear says nothing of the kind.
 * @param scopes of the token, as far as they are known
 */
export function createIsShutOut(client: WebClient, scopes: () => readonly string[] | undefined) {
  return async (channel: string): Promise<boolean> => {
    const asked = client.conversations.history({ channel, limit: 1 }).then(
      () => false,
      (cause: unknown) => {
        const { code } = codeOf(cause)
        if (code === "channel_not_found") return true
        return code === "not_in_channel" && scopes()?.includes("chat:write.public") === false
      },
    )
    return withTimeout(SOON_MS, asked, () => false)
  }
}
