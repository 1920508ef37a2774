import { z } from "zod"
import { key } from "../store/redis-keys.ts"
import type { RedisClient } from "../store/script.ts"
import type { SlackClient } from "./client.ts"
import { orSlackError, parseAnswer, SlackError } from "./slack-error.ts"

const channelInfo = z.object({
  channel: z.object({
    is_channel: z.boolean().default(false),
    is_private: z.boolean().default(true),
    is_im: z.boolean().default(false),
    is_mpim: z.boolean().default(false),
  }),
})

/** Time in ms for which an answer counts: a channel that turns private is noticed within it. */
const KNOWN_MS = 10 * 60_000

/**
 * Makes the test for channels that everybody in the workspace can read. An ID does not tell: private
 * channels begin with C, too. Whatever Slack does not confirm as public counts as private.
 * @throws SlackError with verdict `later` or `unknown` if Slack does not answer
 */
export function createPublicChannels(client: SlackClient, redis: RedisClient) {
  return async (channel: string): Promise<boolean> => {
    if (!channel.startsWith("C")) return false
    const at = key("public", channel)
    const known = await redis.get(at)
    if (known !== null) return known === "1"
    const answer = await client.conversations.info({ channel }).catch(orSlackError)
    if (answer instanceof SlackError && answer.verdict !== "give_up") throw answer
    const isPublic = !(answer instanceof SlackError) && saysPublic(answer)
    await redis.set(at, isPublic ? "1" : "0", "PX", KNOWN_MS)
    return isPublic
  }
}

function saysPublic(answer: unknown): boolean {
  const { channel } = parseAnswer("conversations.info", channelInfo, answer)
  return channel.is_channel && !channel.is_private && !channel.is_im && !channel.is_mpim
}
