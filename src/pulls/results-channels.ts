import { z } from "zod"
import { admit } from "../asking/access-rules.ts"
import { actOnce } from "../asking/act-once.ts"
import { announce } from "../asking/tell-requesters.ts"
import type { Reply } from "../asking/work-after-ack.ts"
import type { Context } from "../jobs/context.ts"
import { parseJson } from "../lib/json.ts"
import { line } from "../messages/blocks.ts"
import { mention } from "../messages/mrkdwn.ts"
import type { Message } from "../slack/message-types.ts"
import type { Command } from "../slack/payloads.ts"
import { refusalOf } from "../slack/slack-error.ts"
import { key } from "../store/redis-keys.ts"
import { currentTime, type RedisClient } from "../store/script.ts"

/** Channels that get all results: `/docs-agent results on`. */
const CHANNELS = key("results", "channels")

const turnedOn = z.object({ v: z.literal(1), user: z.string(), at: z.number() })

/** Channel with results; `at` is when they were turned on, in ms: earlier results are not posted. */
export type ResultsChannel = Awaited<ReturnType<typeof resultsChannels>>[number]

/**
 * Reads `results on|off|list`; `results` alone lists. One other word is `unclear`, and undefined is a
 * request to the agent, such as "results page is empty".
 */
export function readResultsCommand(typed: string): "on" | "off" | "list" | "unclear" | undefined {
  const [, word = "list", ...more] = typed.trim().toLowerCase().split(/\s+/)
  if (!/^\s*results\s*(?!\S)/i.test(typed) || more.length > 0) return undefined
  return word === "on" || word === "off" || word === "list" ? word : "unclear"
}

/** Reads all channels with results; a record that does not parse counts as none, and is logged. */
export async function resultsChannels({ store, events }: Pick<Context, "store" | "events">) {
  const found = Object.entries(await store.redis.hgetall(CHANNELS))
  return found.flatMap(([channel, record]) => {
    const { data, error } = turnedOn.safeParse(parseJson(record))
    if (data) return { channel, user: data.user, at: data.at }
    events.unreadable(`${CHANNELS} ${channel}`, error)
    return []
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
  if (wish === "list") return resultsList(await resultsChannels(context))
  if (!/^[CG]/.test(channel)) return line(SAYS.not_here)
  if (wish === "off") {
    // Looks before it deletes: if Redis's answer to a deletion gets lost, the client repeats it.
    if ((await redis.hexists(CHANNELS, channel)) === 0) return line(SAYS.not_on)
    await redis.hdel(CHANNELS, channel)
    const said = line(`${mention(user)} turned off results here.`)
    return (await refusalOf(outbound.post({ channel }, said))) && said
  }
  const record = JSON.stringify({ v: 1, user, at: await currentTime(store) })
  const isNew = await redis.hsetnx(CHANNELS, channel, record)
  // A lost answer of Redis makes the client send the command again, which then finds its own record.
  if (isNew === 0 && (await redis.hget(CHANNELS, channel)) !== record) return line(SAYS.on_already)
  const said = `${mention(user)} turned on results here: one line for each pull request that Docs Agent opens in a public channel. To stop: \`/docs-agent results off\``
  const refusal = await announce(context, channel, line(said))
  if (refusal) await redis.hdel(CHANNELS, channel)
  return refusal
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
  if (wish === "unclear") return { ack: line(SAYS.how) }
  return actOnce(context, command.triggerId, async () => ({
    ack: await changeResults(context, command, wish),
  }))
}

const SAYS = {
  on_already: "*This channel already gets all results.*",
  not_on: "*This channel gets no results.* To start: `/docs-agent results on`",
  not_here:
    "*Results need a channel.* Use `/docs-agent results on` in the channel that should get them.",
  how: "*`results` takes `on`, `off` or `list`.* `/docs-agent results on` posts one line here for each pull request.",
  nowhere: "*No channel gets results.* To start here: `/docs-agent results on`",
}

/** Lists the channels with results, and who turned them on. */
function resultsList(channels: readonly { channel: string; user: string }[]): Message {
  if (channels.length === 0) return line(SAYS.nowhere)
  const rows = channels.map(({ channel, user }) => `• <#${channel}>, turned on by ${mention(user)}`)
  return line(["*Channels that get all results*", ...rows].join("\n"))
}
