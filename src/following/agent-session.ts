import type { Context } from "../jobs/context.ts"
import { type Job, threadOf } from "../jobs/job.ts"
import type { Again, JobStore } from "../jobs/job-store.ts"
import { firstWords, shownAsks } from "../jobs/request-record.ts"
import { currentRound } from "../jobs/rounds.ts"
import type { SecretFilter } from "../lib/secrets.ts"
import { DAY_MS, raceAbort } from "../lib/time.ts"
import { plain } from "../messages/blocks.ts"
import { plainLine, SHOUT } from "../messages/mrkdwn.ts"
import type { SlackState } from "../slack/identity.ts"
import type { Message } from "../slack/message-types.ts"
import { takeTurn } from "../slack/rate-limits.ts"
import { NOT_OFFERED, refusalOf } from "../slack/slack-error.ts"
import type { Outbound } from "../slack/write-to-slack.ts"
import { claimKey } from "../store/claims.ts"
import { key } from "../store/redis-keys.ts"
import type { Store } from "../store/script.ts"

/**
 * Returns the key that tells all processes that Slack does not offer sessions to this app. That
 * depends on the app's declaration and the workspace's plan, and Slack reveals it only when the bot
 * uses sessions. What was learned before the app was declared an agent says nothing about it since.
 */
function offKey(isDeclared: boolean): string {
  return key("surface", isDeclared ? "agent_sessions" : "sessions")
}

/** Delay in ms before the bot tries sessions again, unless the app's declaration changes. */
const OFF_MS = DAY_MS
/**
 * Time in ms after which Slack ends a status by itself: "Sessions in the processing status time out
 * after one hour and automatically transition to active."
 */
const TIMEOUT_MS = 60 * 60_000
/** Interval in ms for sending that a session is processing, so that Slack does not end it. */
const TELL_AGAIN_MS = 45 * 60_000

type Thread = { channel: string; thread: string }

interface SessionNeeds {
  secrets: SecretFilter
  /** Signal that aborts when the process must exit without waiting for Slack. */
  forceStop: AbortSignal
  onSurfaceOff: (code: string) => void
}

/**
 * Sends Slack the session status of one job's thread at a time, so that few calls are in flight if
 * Slack refuses the whole feature. Runs apart from cards and closing replies, so that they never
 * wait for it. Repeats a call with an unknown outcome, because that does no harm.
 */
export function sessionPass(context: Context, needs: SessionNeeds): Promise<number> {
  const { timing } = context.settings
  const limits = { limit: 1, leaseMs: timing.leaseMs }
  return context.jobs.eachDue("sessions", limits, async ({ job, now }) => {
    const thread = threadOf(job)
    // A session begins with the card; before that, the request may still be refused or cancelled.
    if (!thread || !job.card) return "done"
    // The interrupted call may still arrive, so the next process waits until it has.
    const showing = show(context, needs, { channel: job.channel, thread }, now)
    return raceAbort(showing, needs.forceStop, timing.tries.failedMs)
  })
}

async function show(
  context: Context,
  { secrets, onSurfaceOff }: SessionNeeds,
  of: Thread,
  now: number,
): Promise<Again> {
  const { store, jobs, slack } = context
  const { timing } = context.settings
  const off = offKey(slack.state.isDeclared())
  if ((await store.redis.exists(off)) === 1) return "done"
  const waitMs = await takeTurn(store, timing.rates, "session", of.channel)
  if (waitMs > 0) return waitMs
  const found = await jobs.inThread(of.channel, of.thread)
  const isAtWork = found.some(({ job }) => job.state !== "ended")
  const first = found.at(-1)
  const words = first && (await titleWords(jobs, first.job))
  const title = words && sessionTitle(secrets.clean(words))
  const status = isAtWork ? "processing" : "active"
  const send = async (initiator?: string) => {
    const shown = await slack.unpaced.setSession(of, status, { initiator, title })
    // An answer to a person opened the thread before it had a request, or its words were edited.
    const isOutdated = !shown || first?.job.rounds[0]?.asks.length === 0
    if (title && shown !== title && isOutdated)
      await refusalOf(slack.unpaced.renameSession(of, title))
  }
  let error = await refusalOf(send(first?.job.user))
  // A new session can't be a guest's, or of somebody who has left the channel.
  if (error?.code === "user_not_found") error = await refusalOf(send())
  if (!error) return isAtWork ? TELL_AGAIN_MS : "done"
  if (await isNotOffered(error.code, () => slack.places.isInside(of.channel))) {
    if (await claimKey(store, off, OFF_MS)) onSurfaceOff(error.code)
    return "done"
  }
  const sinceMs = now - Math.max(...found.map(({ job }) => currentRound(job).endedAt ?? job.at))
  if (error.verdict === "give_up" || (!isAtWork && sinceMs > TIMEOUT_MS)) return "done"
  // Tries less and less often, without having to remember how often it has tried.
  const againMs = Math.max(timing.tries.unreachableMs, Math.min(sinceMs / 2, TELL_AGAIN_MS))
  return error.retryAfterMs ?? againMs
}

async function titleWords(jobs: Pick<JobStore, "promptsOf">, job: Job): Promise<string> {
  return firstWords({ job, prompts: await jobs.promptsOf(shownAsks(job)) })
}

/**
 * Returns whether this code proves that Slack does not offer sessions to the app at all. "The
 * caller is not a member of the specified channel" (not_authorized) proves it only for a member.
 */
async function isNotOffered(code: string, isInside: () => Promise<boolean>) {
  if (code === "not_authorized") return isInside()
  if (NOT_OFFERED.has(code)) return true
  // "This type of conversation cannot be used with this method" concerns only one conversation.
  return code.startsWith("method_not_supported") && !code.endsWith("_for_channel_type")
}

/**
 * Opens the thread of a direct message to or from an agent, in which Slack shows the answer.
 * @param title of the bot's own message; Slack shows the first words of a person's
 * @returns false if the app is no agent or Slack refuses, so that the answer goes below the message
 */
export async function openThread(
  store: Store,
  { outbound, state }: { outbound: Outbound; state: Pick<SlackState, "isDeclared"> },
  of: Thread,
  title?: string,
): Promise<boolean> {
  if (!state.isDeclared() || (await store.redis.exists(offKey(true))) === 1) return false
  return (await refusalOf(outbound.setSession(of, "active", { title }))) === undefined
}

/** Makes the next pass send the thread's status again, even if it hasn't changed. */
export async function showAgain(
  jobs: Pick<JobStore, "inThread" | "change">,
  { channel, thread }: Thread,
): Promise<void> {
  const [latest] = await jobs.inThread(channel, thread)
  if (latest) await jobs.change(latest.job.id, () => ({ due: { sessions: 0 } }))
}

/** Maximum title length in code points: Slack's "max 200 characters" may mean UTF-16 units. */
const MAX_TITLE = 100

/** Makes the title of a message of the bot's own: its first line, without markup. */
export function messageTitle({ text }: Message): string {
  const [first = ""] = text.split("\n")
  return sessionTitle(plain(first.replace(/<[@#!][^<>]*>\s*/g, "")))
}

/** Makes a session's title. Replaces angle brackets, because Slack may read markup in it. */
export function sessionTitle(words: string): string {
  const title = plainLine(words.replaceAll("<", "‹").replaceAll(">", "›"), MAX_TITLE)
  return title.replace(SHOUT, "@\u200b")
}
