import { mayActOn } from "../../access/rules.ts"
import { cancel, mute } from "../../jobs/actions.ts"
import { currentAsks, ELSEWHERE, type Job } from "../../jobs/job.ts"
import type { Found } from "../../jobs/job-store.ts"
import { type Stopped, stoppedMessage } from "../../messages/private.ts"
import type { SessionStopped } from "../../slack/payloads.ts"
import type { Reply } from "../answer.ts"
import { admit } from "../ask.ts"
import type { AgentDeps } from "../deps.ts"

/**
 * Handles Slack's Stop button on a thread's session: cancels waiting requests, mutes running jobs,
 * and says which. "The session status does not update automatically when the user clicks stop", so
 * the bot always sends Slack the true status again, even if it stopped nothing.
 */
export async function stop(deps: AgentDeps, event: SessionStopped): Promise<Reply> {
  const { user, channel, thread, at } = event
  const entry = await admit(deps, { user, channel })
  const found = await deps.jobs.inThread(channel, thread)
  // Slack delivers events up to a day late, so Stop leaves requests alone that came after the
  // click.
  const meant = found.filter(({ job }) => job.card !== undefined && askedAt(job) <= Number(at))
  const stopped =
    "refusal" in entry ? [] : await Promise.all(meant.map(({ job }) => stopOne(deps, job, user)))
  await deps.showAgain(channel, thread)
  const once = `stop:${channel}:${thread}:${at}`
  const told = { user, channel, thread: isSeenIn(event, found) ? thread : undefined }
  return { once, ack: "refusal" in entry ? entry.refusal : stoppedMessage(stopped), told }
}

/** Returns the time of the request behind the job's present round, by Slack's clock, s. */
function askedAt(job: Job): number {
  const { ts = job.card } = currentAsks(job).findLast((ask) => ask.ts !== undefined) ?? {}
  return Number(ts)
}

/**
 * Returns whether the person would see a private answer in the thread. Slack shows none under a
 * message without replies; in a direct message the answer is an ordinary reply.
 */
function isSeenIn({ channel, thread }: SessionStopped, found: readonly Found[]): boolean {
  const hasReplies = found.some(
    ({ job }) => job.thread === thread || (job.result !== undefined && job.result.ts !== ELSEWHERE),
  )
  return hasReplies || channel.startsWith("D")
}

async function stopOne(deps: AgentDeps, job: Job, user: string): Promise<Stopped> {
  if (job.state === "ended") return { result: "ended" }
  const isTheirs = job.asks.some((one) => mayActOn(deps.rules, user, one.user))
  if (!isTheirs) return { result: "not_yours", owners: [job.user] }
  if (job.state === "queued") {
    const done = await cancel(deps, { job: job.id, user })
    if (done.result === "done") return { result: "cancelled" }
  }
  // The job may have started meanwhile.
  const now = (await deps.jobs.find(job.id))?.job
  if (!now || now.state === "ended") return { result: "ended" }
  if (now.state === "creating") return { result: "starting" }
  await mute(deps, job.id, user)
  return { result: "muted" }
}
