import { z } from "zod"
import type { Context } from "../jobs/context.ts"
import { isOver, type Job, linkToCard } from "../jobs/job.ts"
import type { Again, Held } from "../jobs/job-store.ts"
import { parseJson } from "../lib/json.ts"
import { DAY_MS } from "../lib/time.ts"
import { line } from "../messages/blocks.ts"
import { foreignLine, link } from "../messages/mrkdwn.ts"
import { byWords, pullWords, safeUrl } from "../messages/pull-request-words.ts"
import type { Message } from "../slack/message-types.ts"
import { CHANNEL_GONE, orSlackError, SlackError } from "../slack/slack-error.ts"
import { hashOfMessage } from "../slack/write-to-slack.ts"
import { key } from "../store/redis-keys.ts"
import { dropResultsChannel, type ResultsChannel, resultsChannels } from "./results-channels.ts"

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
  return context.jobs.eachDue("results", limits, (held) => show(context, held))
}

async function show(context: Context, held: Held): Promise<Again> {
  const { job } = held
  const againMs = context.settings.timing.tries.unreachableMs
  if (!safeUrl(job.prLink) || (!isOver(job.pull?.state) && !readyAt(job))) return "done"
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
  const waits = await Promise.all(channels.map((to) => showIn(context, held, to, message)))
  const longest = Math.max(...waits)
  return longest === 0 ? "done" : longest
}

/** Returns when a round last led to the pull request, in ms, also where a later follow-up failed. */
function readyAt({ rounds }: Job): number | undefined {
  return rounds.findLast(({ ending }) => ending === "pull_request")?.endedAt
}

/** Posts the line once, or edits it. Returns the wait in ms before the next try, 0 if all is said. */
async function showIn(
  context: Context,
  { job, inTime }: Held,
  { channel, at }: ResultsChannel,
  message: Message,
): Promise<number> {
  const { redis } = context.store
  const { outbound } = context.slack
  const againMs = context.settings.timing.tries.unreachableMs
  const isOld = !isOver(job.pull?.state) && (readyAt(job) ?? 0) < at
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
  if (CHANNEL_GONE.test(sent.code)) await dropResultsChannel(redis, channel)
  // Slack may have the post: the next try looks for it first.
  if (sent.verdict === "unknown") return againMs
  if (known?.ts === undefined) await redis.hdel(shownKey(job), channel)
  return sent.verdict === "give_up" ? 0 : (sent.retryAfterMs ?? againMs)
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
  const record = (await store.redis.hget(shownKey(job), channel)) ?? ""
  const known = shown.safeParse(parseJson(record)).data
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

/** Writes the one line of a pull request. It names the asker without notifying them. */
function resultLine(
  job: Job,
  {
    asker,
    cardUrl,
    gitHubHost,
  }: { asker: string; cardUrl: string | undefined; gitHubHost: string },
): Message {
  const request = cardUrl ? link(cardUrl, "request") : "request"
  const words = `${pullWords(job, gitHubHost)} · ${request} by ${foreignLine(asker, 40)}`
  return line(`${stateWords(job.pull)}: ${words}`)
}

function stateWords(pull: Job["pull"]): string {
  if (!isOver(pull?.state)) return pull?.state === "draft" ? "*Draft*" : "*Ready for review*"
  return pull.state === "merged" ? `*Merged*${byWords(pull.by)}` : "*Closed* without merging"
}
