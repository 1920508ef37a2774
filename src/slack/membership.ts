import { raceAbort } from "../lib/time.ts"
import type { SlackClient } from "./client.ts"
import { refusalOf } from "./slack-error.ts"

/** Maximum wait in ms for Slack's answer, because a form waits for it. */
const SOON_MS = 1000

/** What the bot knows of conversations: where it may post and read, and who else is there. */
export interface Places extends ReturnType<typeof createMembership> {
  /** Returns whether everybody in the workspace can read the channel. @throws SlackError */
  isPublic: (channel: string) => Promise<boolean>
  /** Opens an agent's thread in a direct message; resolves to whether Slack has it. */
  openThread: (of: { channel: string; thread: string }) => Promise<boolean>
}

/** Tests membership by reading a conversation's history, which Slack allows only members to do. */
export function createMembership(client: SlackClient, scopes: () => readonly string[] | undefined) {
  const readHistory = async (channel: string) =>
    (await refusalOf(client.conversations.history({ channel, limit: 1 })))?.code ?? "ok"
  return {
    isInside: async (channel: string): Promise<boolean> => (await readHistory(channel)) === "ok",

    /** Returns true only if Slack's answer proves that the bot may not post in the channel. */
    isShutOut: async (channel: string): Promise<boolean> => {
      const code = await raceAbort(AbortSignal.timeout(SOON_MS), readHistory(channel), "slow")
      if (code === "channel_not_found") return true
      return code === "not_in_channel" && scopes()?.includes("chat:write.public") === false
    },

    /**
     * Returns whether this is the bot's own direct message; about any other, Slack answers
     * "channel_not_found". Returns undefined if Slack does not say.
     */
    isOwnDirect: async (channel: string): Promise<boolean | undefined> => {
      const code = await readHistory(channel)
      return code === "ok" || (code === "channel_not_found" ? false : undefined)
    },
  }
}
