import { WebAPIPlatformError, type WebClient } from "@slack/web-api"
import type { IsOwnDirect } from "../ports/outbound.ts"

/** Conversations in one process' memory. */
const MOST_KNOWN = 5000

/**
 * Slack calls every direct message `directmessage` in what it delivers. The bot may read its own;
 * for others Slack answers "channel_not_found".
 */
export function createIsOwnDirect(client: WebClient): IsOwnDirect {
  const known = new Map<string, boolean>()
  return async (channel) => {
    const remembered = known.get(channel)
    if (remembered !== undefined) return remembered
    const own = await mayRead(client, channel)
    if (own === undefined) return undefined
    if (known.size >= MOST_KNOWN) known.clear()
    known.set(channel, own)
    return own
  }
}

/** Undefined when Slack does not say. It is asked twice, so that one lost answer makes no doubt. */
async function mayRead(
  client: WebClient,
  channel: string,
  tries = 2,
): Promise<boolean | undefined> {
  try {
    await client.conversations.history({ channel, limit: 1 })
    return true
  } catch (cause) {
    const code = cause instanceof WebAPIPlatformError ? cause.data.error : undefined
    if (code === "channel_not_found") return false
    return code === "missing_scope" || tries === 1 ? undefined : mayRead(client, channel, tries - 1)
  }
}
