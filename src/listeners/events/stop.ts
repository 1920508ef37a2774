import { mayActOn } from "../../access/rules.ts"
import { showAgain } from "../../after/session-pass.ts"
import { cancel, mute } from "../../jobs/actions.ts"
import { admit } from "../../jobs/admit.ts"
import { currentAsks, ELSEWHERE, type Job, waitingAsks } from "../../jobs/job.ts"
import { type Stopped, stoppedMessage } from "../../messages/private.ts"
import type { SessionStopped } from "../../slack/payloads.ts"
import { actOnce, type Reply } from "../answer.ts"
import type { AgentDeps } from "../deps.ts"

/**
 * Handles Slack's Stop button on a thread's session: cancels waiting requests, mutes running jobs,
 * and says which. "The session status does not update automatically when the user clicks stop", so
 * the bot always sends Slack the true status again, even if it stopped nothing.
 */
export async function stop(deps: AgentDeps, event: SessionStopped): Promise<Reply> {
  const { channel, thread, at } = event
  const id = `stop:${channel}:${thread}:${at}`
  const reply = await actOnce(deps, id, () => stopAll(deps, event))
  await showAgain(deps.store, deps.jobs, { channel, thread })
  return reply
}

async function stopAll(deps: AgentDeps, event: SessionStopped): Promise<Reply> {
  const { user, channel, thread, at } = event
  const entry = await admit(deps, event)
  const found = await deps.jobs.inThread(channel, thread)
  // Slack delivers events up to a day late, so Stop leaves later requests alone.
  const meant = found.filter(({ job }) => job.card !== undefined && askedAt(job) <= Number(at))
  const stopped =
    "refusal" in entry ? [] : await Promise.all(meant.map(({ job }) => stopOne(deps, job, user)))
  // Slack shows an ephemeral message in a thread only if the thread has a reply. In a direct
  // message the bot posts an ordinary message instead.
  const isSeenInThread =
    channel.startsWith("D") ||
    found.some(({ job }) => job.thread === thread || (job.result?.ts ?? ELSEWHERE) !== ELSEWHERE)
  return {
    ack: "refusal" in entry ? entry.refusal : stoppedMessage(stopped.flat()),
    told: { user, channel, thread: isSeenInThread ? thread : undefined },
  }
}

/** Returns the time of the latest request in the current round, in seconds of Slack's clock. */
function askedAt(job: Job): number {
  const { ts = job.card } = currentAsks(job).findLast((ask) => ask.ts !== undefined) ?? {}
  return Number(ts)
}

async function stopOne(deps: AgentDeps, job: Job, user: string): Promise<Stopped[]> {
  if (job.state === "ended" && waitingAsks(job).length === 0) return []
  if (!job.asks.some((one) => mayActOn(deps.rules, user, one.user))) return [{ owners: [job.user] }]
  // Behind a running job, this cancels the follow-ups that wait.
  const { result } = await cancel(deps, { job: job.id, user })
  const now = (await deps.jobs.find(job.id))?.job
  const hasEnded = now === undefined || now.state === "ended"
  const stopped: Stopped[] = result === "done" ? [hasEnded ? "cancelled" : "follow_ups"] : []
  if (now?.state === "creating") return [...stopped, "starting"]
  if (now?.state !== "active") return stopped
  await mute(deps, job.id, user)
  return [...stopped, "muted"]
}
