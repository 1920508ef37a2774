import { z } from "zod"
import { admit } from "../asking/admit.ts"
import { channelFacts } from "../asking/channel-facts.ts"
import { actOnce, type Reply } from "../asking/reply.ts"
import type { Context } from "../jobs/context.ts"
import { parseJson } from "../lib/json.ts"
import { cannotPostHere } from "../messages/refusals.ts"
import type { Message } from "../slack/message.ts"
import type { Command } from "../slack/payloads.ts"
import { refusalOf } from "../slack/slack-error.ts"
import { key } from "../store/redis-keys.ts"
import { currentTime, type RedisClient } from "../store/script.ts"
import {
  NOT_TURNED_ON,
  RESULTS_HOW,
  RESULTS_NOT_HERE,
  RESULTS_NOT_ON,
  RESULTS_ON_ALREADY,
  resultsList,
  resultsOff,
  resultsOn,
} from "./results-line.ts"

/** Channels that get all results: `/docs-agent results on`. */
const CHANNELS = key("results", "channels")

const turnedOn = z.object({ v: z.literal(1), user: z.string(), at: z.number() })

/** Channel with results; `at` is when they were turned on, in ms: earlier results are not posted. */
export interface ResultsChannel {
  channel: string
  user: string
  at: number
}

/**
 * Reads `results on|off|list`; `results` alone lists. One other word is `unclear`, and undefined is a
 * request to the agent, such as "results page is empty".
 */
export function readResultsCommand(typed: string): "on" | "off" | "list" | "unclear" | undefined {
  const [, word = "list", ...more] = typed.trim().toLowerCase().split(/\s+/)
  if (!/^\s*results\s*(?!\S)/i.test(typed) || more.length > 0) return undefined
  return word === "on" || word === "off" || word === "list" ? word : "unclear"
}

/** Reads all channels with results; a record that does not parse counts as none. */
export async function resultsChannels(redis: RedisClient): Promise<ResultsChannel[]> {
  const found = Object.entries(await redis.hgetall(CHANNELS))
  return found.flatMap(([channel, record]) => {
    const { data } = turnedOn.safeParse(parseJson(record))
    return data ? [{ channel, user: data.user, at: data.at }] : []
  })
}

/** Turns results off without a word, where a channel is gone. */
export async function dropResultsChannel(redis: RedisClient, channel: string): Promise<void> {
  await redis.hdel(CHANNELS, channel)
}

/**
 * Turns results on or off in a channel, or lists where they are on. Stores first and takes it back if
 * the channel takes no posts, so that of two people who turn them on only one announces it.
 * @returns the private answer, unless the channel was told
 */
async function changeResults(
  context: Context,
  { channel, user }: { channel: string; user: string },
  wish: "on" | "off" | "list",
): Promise<Message | undefined> {
  const { store, slack } = context
  const { redis } = store
  const { outbound } = slack
  if (wish === "list") return resultsList(await resultsChannels(redis))
  if (!/^[CG]/.test(channel)) return RESULTS_NOT_HERE
  if (wish === "off") {
    // Looks before it deletes: if Redis's answer to a deletion gets lost, the client repeats it.
    if ((await redis.hexists(CHANNELS, channel)) === 0) return RESULTS_NOT_ON
    await redis.hdel(CHANNELS, channel)
    const said = resultsOff(user)
    return (await refusalOf(outbound.post({ channel }, said))) && said
  }
  const record = JSON.stringify({ v: 1, user, at: await currentTime(store) })
  const isNew = await redis.hsetnx(CHANNELS, channel, record)
  // A lost answer of Redis makes the client send the command again, which then finds its own record.
  if (isNew === 0 && (await redis.hget(CHANNELS, channel)) !== record) return RESULTS_ON_ALREADY
  const refused = await refusalOf(outbound.post({ channel }, resultsOn(user)))
  if (!refused) return undefined
  await redis.hdel(CHANNELS, channel)
  return cannotPostHere(refused, await channelFacts(context, channel), NOT_TURNED_ON)
}

/** Answers `results on|off|list`; undefined for any other text, such as "results page is empty". */
export async function answerResults(
  context: Context,
  command: Command,
): Promise<Reply | undefined> {
  const wish = readResultsCommand(command.typed)
  if (wish === undefined) return undefined
  const entry = await admit(context, command)
  if ("refusal" in entry) return { ack: entry.refusal }
  if (wish === "unclear") return { ack: RESULTS_HOW }
  return actOnce(context, command.triggerId, async () => ({
    ack: await changeResults(context, command, wish),
  }))
}
