import { withTimeout } from "../runtime/time.ts"
import type { SlackClient } from "./client.ts"
import { faultOf } from "./verdict.ts"

/** The number of conversations that one process remembers. */
const MOST_KNOWN = 5000
/** The longest wait for Slack's answer, ms, because a form waits for it; after that the result is unknown. */
const SOON_MS = 1000

/** Returns whether this channel is shared with another organization. @throws SlackError */
export function isShared(client: SlackClient, channel: string): Promise<boolean> {
  return client.call("conversations.info", async () => {
    const answer = await client.conversations.info({ channel })
    return answer.channel?.is_ext_shared === true
  })
}

export type IsOwnDirect = ReturnType<typeof createMembership>["isOwnDirect"]

/**
 * Finds out in which conversations the bot is a member by reading their history, which Slack allows
 * only to members.
 * @param scopes the token's scopes, if known
 */
export function createMembership(client: SlackClient, scopes: () => readonly string[] | undefined) {
  const ownDirects = new Map<string, boolean>()
  /** "ok", or the code of Slack's refusal. */
  const readHistory = (channel: string) =>
    client.conversations.history({ channel, limit: 1 }).then(
      () => "ok",
      (cause: unknown) => faultOf(cause).code,
    )
  return {
    /** Returns true only if Slack's answer proves that the bot is a member. */
    isInside: async (channel: string): Promise<boolean> => (await readHistory(channel)) === "ok",

    /**
     * Returns true only if Slack's answer proves that the bot may not post in a channel: it is no
     * member, and its token does not let it post elsewhere.
     */
    isShutOut: async (channel: string): Promise<boolean> => {
      const code = await withTimeout(SOON_MS, readHistory(channel), () => "slow")
      if (code === "channel_not_found") return true
      return code === "not_in_channel" && scopes()?.includes("chat:write.public") === false
    },

    /**
     * Returns whether this is the bot's own direct message. Payloads call every one `directmessage`,
     * but a read of another's answers "channel_not_found". Returns undefined if Slack does not
     * answer; asks twice, so that one lost answer leaves no doubt.
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
