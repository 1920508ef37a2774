import type { WebClient } from "@slack/web-api"
import { withTimeout } from "../runtime/time.ts"
import { codeOf, toSlackError } from "./verdict.ts"

/** Conversations in one process's memory. */
const MOST_KNOWN = 5000
/** A form waits for its answer: what Slack has not said by then says nothing, ms. */
const SOON_MS = 1000

/** Tells whether this channel is shared with another organization. @throws SlackError */
export async function isShared(client: WebClient, channel: string): Promise<boolean> {
  try {
    const answer = await client.conversations.info({ channel })
    return answer.channel?.is_ext_shared === true
  } catch (cause) {
    throw toSlackError("conversations.info", cause)
  }
}

export type IsOwnDirect = ReturnType<typeof createMembership>["isOwnDirect"]

/**
 * Finds out where the bot is, by reads of a conversation's history: that is what Slack allows to members.
 * @param scopes of the token, as far as they are known
 */
export function createMembership(client: WebClient, scopes: () => readonly string[] | undefined) {
  const ownDirects = new Map<string, boolean>()
  /** "ok", or the code of Slack's refusal. */
  const readHistory = (channel: string) =>
    client.conversations.history({ channel, limit: 1 }).then(
      () => "ok",
      (cause: unknown) => codeOf(cause).code,
    )
  return {
    /** Proves that the bot is a member; whatever Slack refuses says nothing of the kind. */
    isInside: async (channel: string): Promise<boolean> => (await readHistory(channel)) === "ok",

    /**
     * Proves that the bot may not post in a channel: it is not in there, and its token does not let it
     * post elsewhere. Whatever is unclear says nothing of the kind.
     */
    isShutOut: async (channel: string): Promise<boolean> => {
      const code = await withTimeout(SOON_MS, readHistory(channel), () => "slow")
      if (code === "channel_not_found") return true
      return code === "not_in_channel" && scopes()?.includes("chat:write.public") === false
    },

    /**
     * Tells whether this is the bot's own direct message. Slack calls every one `directmessage` in what it delivers, and
     * answers "channel_not_found" for others. Undefined when Slack does not say; it is asked twice, so that
     * one lost answer makes no doubt.
     */
    isOwnDirect: async (channel: string): Promise<boolean | undefined> => {
      for (let tries = 0; tries < 2 && !ownDirects.has(channel); tries += 1) {
        const code = await readHistory(channel)
        if (code === "missing_scope") return undefined
        if (ownDirects.size >= MOST_KNOWN) ownDirects.clear()
        if (code === "ok" || code === "channel_not_found") ownDirects.set(channel, code === "ok")
      }
      return ownDirects.get(channel)
    },
  }
}
