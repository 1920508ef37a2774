import { admit, mayActOn } from "../asking/access-rules.ts"
import { mute } from "../asking/act-on-job.ts"
import { actOnce } from "../asking/act-once.ts"
import { cancel } from "../asking/cancel-request.ts"
import type { Reply } from "../asking/work-after-ack.ts"
import type { Context } from "../jobs/context.ts"
import type { Job } from "../jobs/job.ts"
import type { Ask } from "../jobs/round-record.ts"
import { allAsks, openAsks } from "../jobs/rounds.ts"
import { type Stopped, stoppedMessage } from "../messages/refused-actions.ts"
import type { SessionStopped } from "../slack/payloads.ts"
import { showAgain } from "./agent-session.ts"

/**
 * Handles Slack's Stop button on a thread's session: cancels waiting requests, mutes running jobs,
 * and says which. "The session status does not update automatically when the user clicks stop", so
 * the bot always sends Slack the true status again, even if it stopped nothing.
 */
export async function stopThread(context: Context, event: SessionStopped): Promise<Reply> {
  const { channel, thread, at } = event
  const id = `stop:${channel}:${thread}:${at}`
  const reply = await actOnce(context, id, () => stopAll(context, event), true)
  await showAgain(context.jobs, { channel, thread })
  return reply
}

async function stopAll(context: Context, event: SessionStopped): Promise<Reply> {
  const { user, channel, thread } = event
  const entry = await admit(context, event)
  const found = await context.jobs.inThread(channel, thread)
  const stopped =
    "refusal" in entry
      ? []
      : await Promise.all(found.map(({ job }) => stopOne(context, job, event)))
  // Slack shows an ephemeral message in a thread only if the thread has a reply. In a direct
  // message the bot posts an ordinary message instead.
  const isSeenInThread =
    channel.startsWith("D") ||
    found.some(({ job }) => job.thread === thread || job.rounds.some(({ told }) => told?.ts))
  return {
    ack: "refusal" in entry ? entry.refusal : stoppedMessage(stopped.flat()),
    told: { user, channel, thread: isSeenInThread ? thread : undefined },
  }
}

async function stopOne(
  context: Context,
  job: Job,
  { user, at }: SessionStopped,
): Promise<Stopped[]> {
  const isRunning = job.state !== "ended"
  const open = isRunning ? openAsks(job) : job.waiting
  const meant = open.filter((ask) => !isAskedAfter(job, ask, at))
  if (meant.length === 0) return []
  if (!mayActOn(context.settings.access, user, allAsks(job))) return [{ owners: [job.user] }]
  const isAll = meant.length === open.length
  // Without a part, a cancel is about all requests; behind a running job, about those that wait.
  const parts = isAll ? [undefined] : meant.map(({ id }) => id)
  const cancelling = parts.map((part) => cancel(context, { job: job.id, part, user }))
  const isCancelled = (await Promise.all(cancelling)).some(({ result }) => result === "done")
  const stopped: Stopped[] = isCancelled ? ["cancelled"] : []
  const now = (await context.jobs.find(job.id))?.job
  if (!isAll || !isRunning || (now?.state !== "creating" && now?.state !== "active")) return stopped
  await mute(context, job.id, user)
  return [...stopped, "muted"]
}

/**
 * Returns whether somebody asked after this time, by Slack's clock alone: Slack may deliver a Stop
 * late, and Redis's clock may be ahead. A request without a message is as old as its card.
 */
function isAskedAfter(job: Job, ask: Ask, at: string): boolean {
  const said = ask.ts ?? (ask.id === allAsks(job)[0]?.id ? job.card : undefined)
  return said !== undefined && said > at
}
