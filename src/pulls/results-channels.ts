import { z } from "zod"
import { admit } from "../asking/access-rules.ts"
import { actOnce } from "../asking/act-once.ts"
import { announce } from "../asking/tell-requesters.ts"
import type { Reply } from "../asking/work-after-ack.ts"
import type { Context } from "../jobs/context.ts"
import { isOver, type Job, linkToCard } from "../jobs/job.ts"
import type { Again, Held } from "../jobs/job-store.ts"
import { parseAs, parseJson } from "../lib/json.ts"
import { DAY_MS } from "../lib/time.ts"
import { line } from "../messages/blocks.ts"
import { mention } from "../messages/mrkdwn.ts"
import { resultLine } from "../messages/pull-request-posts.ts"
import { safeUrl } from "../messages/pull-request-words.ts"
import type { Message } from "../slack/message-types.ts"
import type { Command } from "../slack/payloads.ts"
import { CHANNEL_GONE, orSlackError, refusalOf, SlackError } from "../slack/slack-error.ts"
import { hashOfMessage } from "../slack/write-to-slack.ts"
import { key } from "../store/redis-keys.ts"
import { currentTime } from "../store/script.ts"

/** Channels that get all results: `/docs-agent results on`. */
const CHANNELS = key("results", "channels")

const turnedOn = z.object({ v: z.literal(1), user: z.string(), at: z.number() })

/** Channel with results; `at` is when they were turned on, in ms: earlier results are not posted. */
type ResultsChannel = Awaited<ReturnType<typeof resultsChannels>>[number]

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
async function resultsChannels({ store, events }: Pick<Context, "store" | "events">) {
  const found = Object.entries(await store.redis.hgetall(CHANNELS))
  return found.flatMap(([channel, record]) => {
    const { data, error } = turnedOn.safeParse(parseJson(record))
    if (data) return { channel, user: data.user, at: data.at }
    events.unreadable(`${CHANNELS} ${channel}`, error)
    return []
  })
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

/**
 * Redis hash of a job's line by channel; without `ts`, a post may be on its way to Slack. The line
 * names who asked, and `forget-me` does not visit it, so only its own hash is kept.
 */
const shownKey = (job: Job) => key("results", job.id)
const shown = z.object({ ts: z.string().optional(), hash: z.string().optional() })
type Shown = z.infer<typeof shown>

/** Time in ms for which the posted lines are known, so that they are edited at the merge. */
const KNOWN_MS = 40 * DAY_MS

/** Brings the line of one pull request up to date in each channel that gets all results. */
export function resultsPass(context: Context): Promise<number> {
  const limits = { limit: 1, leaseMs: context.settings.timing.leaseMs }
  return context.jobs.eachDue("results", limits, (held) => showResult(context, held))
}

async function showResult(context: Context, held: Held): Promise<Again> {
  const { job } = held
  const againMs = context.settings.timing.tries.unreachableMs
  if (!safeUrl(job.prLink) || (!isOver(job.pull?.state) && !readySince(job))) return "done"
  const channels = await resultsChannels(context)
  if (channels.length === 0) return "done"
  const isPublic = await context.slack.places.isPublic(job.channel).catch(orSlackError)
  if (isPublic instanceof SlackError) return isPublic.retryAfterMs ?? againMs
  if (!isPublic) return "done"
  const asker = await context.slack.profileOf(job.user).catch(orSlackError)
  const isUnknown = asker instanceof SlackError
  if (isUnknown && asker.verdict !== "give_up") return asker.retryAfterMs ?? againMs
  const message = resultLine(job, {
    asker: isUnknown ? "somebody" : asker.name,
    cardUrl: linkToCard(context.slack.state, job),
    gitHubHost: context.settings.gitHubHost,
  })
  const waits = await Promise.all(channels.map((to) => showInChannel(context, held, to, message)))
  const longest = Math.max(...waits)
  return longest === 0 ? "done" : longest
}

/** Returns when a round last led to the pull request, in ms, also where a later follow-up failed. */
function readySince({ rounds }: Job): number | undefined {
  return rounds.findLast(({ ending }) => ending === "pull_request")?.endedAt
}

/** Posts the line once, or edits it. Returns the wait in ms before the next try, 0 if all is said. */
async function showInChannel(
  context: Context,
  { job, inTime }: Held,
  to: ResultsChannel,
  message: Message,
): Promise<number> {
  const { channel, at } = to
  const { redis } = context.store
  const { outbound } = context.slack
  const againMs = context.settings.timing.tries.unreachableMs
  const isOld = !isOver(job.pull?.state) && (readySince(job) ?? 0) < at
  if (isOld) return 0
  const hash = hashOfMessage(message)
  const known = await readShown(context, job, channel)
  if (known === "later") return againMs
  if (known === "given_up" || known?.hash === hash) return 0
  if (known?.ts === undefined) await keepShown(context, job, channel, {})
  if (!inTime()) return againMs
  const sending = known?.ts
    ? outbound.update({ channel, ts: known.ts }, message).then(() => known.ts)
    : outbound.post({ channel }, message, postKey(job)).then(({ ts }) => ts)
  const sent = await sending.catch(orSlackError)
  if (!(sent instanceof SlackError)) {
    await keepShown(context, job, channel, { ts: sent, hash })
    return 0
  }
  if (CHANNEL_GONE.test(sent.code)) await endResults(context, to)
  // Slack may have the post: the next try looks for it first.
  if (sent.verdict === "unknown") return againMs
  if (known?.ts === undefined) await redis.hdel(shownKey(job), channel)
  return sent.verdict === "give_up" ? 0 : (sent.retryAfterMs ?? againMs)
}

/** Turns results off where the channel is gone, and tells the person who had turned them on. */
async function endResults({ store, slack }: Context, { channel, user }: ResultsChannel) {
  if ((await store.redis.hdel(CHANNELS, channel)) === 0) return
  const said = `*No more results in <#${channel}>*: I can't post there anymore. You can turn them on again in a channel where I can post.`
  await refusalOf(slack.outbound.direct(user, line(said)))
}

/**
 * Reads what the channel was shown. A post whose outcome is unknown is looked up; if the bot cannot
 * read the channel, a line too few is better than one twice (`given_up`).
 */
async function readShown(
  { store, slack }: Context,
  job: Job,
  channel: string,
): Promise<Shown | "later" | "given_up" | undefined> {
  const known = parseAs(shown, await store.redis.hget(shownKey(job), channel))
  if (!known || known.ts !== undefined) return known
  const found = await slack.outbound.find({ channel }, postKey(job)).catch(orSlackError)
  if (found instanceof SlackError) return found.verdict === "give_up" ? "given_up" : "later"
  return found === "absent" ? undefined : { ts: found.ts }
}

async function keepShown({ store }: Context, job: Job, channel: string, state: Shown) {
  await store.redis.hset(shownKey(job), channel, JSON.stringify(state))
  await store.redis.pexpire(shownKey(job), KNOWN_MS)
}

function postKey(job: Job) {
  return { job: job.id, part: "results" }
}
