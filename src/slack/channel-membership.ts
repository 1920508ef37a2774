import { z } from "zod"
import { raceAbort } from "../lib/time.ts"
import type { SlackClient } from "./client.ts"
import { orSlackError, parseAnswer, refusalOf, SlackError } from "./slack-error.ts"

/** Maximum wait in ms for Slack's answer, because a form waits for it. */
const SOON_MS = 1000

/** Questions about conversations: where the bot may post and read, and who else is there. */
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
      const code = await raceAbort(readHistory(channel), AbortSignal.timeout(SOON_MS), "slow")
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

const channelInfo = z.object({
  channel: z.object({
    is_channel: z.boolean().default(false),
    is_private: z.boolean().default(true),
    is_im: z.boolean().default(false),
    is_mpim: z.boolean().default(false),
  }),
})

/**
 * Makes the test for channels that everybody in the workspace can read. An ID does not tell: private
 * channels begin with C, too. Asks each time, because a public channel can turn private. Whatever
 * Slack does not confirm as public counts as private.
 * @throws SlackError with verdict `later` or `unknown` if Slack does not answer
 */
export function createPublicChannels(client: SlackClient) {
  return async (channel: string): Promise<boolean> => {
    if (!channel.startsWith("C")) return false
    const answer = await client.conversations.info({ channel }).catch(orSlackError)
    if (answer instanceof SlackError && answer.verdict !== "give_up") throw answer
    return !(answer instanceof SlackError) && saysPublic(answer)
  }
}

function saysPublic(answer: unknown): boolean {
  const { channel } = parseAnswer("conversations.info", channelInfo, answer)
  return channel.is_channel && !channel.is_private && !channel.is_im && !channel.is_mpim
}
