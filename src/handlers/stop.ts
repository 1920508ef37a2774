import { type Stopped, stopJobs } from "../jobs/stop.ts"
import type { SessionStopped } from "../slack/payload-events.ts"
import { notStopped, stoppedReply } from "../views/stopped.ts"
import { admit } from "./admit.ts"
import type { Reply } from "./answer.ts"
import type { AgentDeps } from "./deps.ts"
import { isFirst } from "./first-time.ts"

/** Slack's delayed events come up to 24 h late, ms. */
const REPEATED_WITHIN_MS = 25 * 3_600_000

/**
 * Slack's Stop button on a thread's session. "The session status does not update automatically when the
 * user clicks stop", so Slack is told once more what is true, also where nothing was stopped.
 */
export async function stop(deps: AgentDeps, event: SessionStopped): Promise<Reply> {
  const { user, channel, thread, at } = event
  const place = { channel, root: thread }
  const entry = await admit(deps, { user, channel })
  const stopped = "refusal" in entry ? [] : await stopThread(deps, event)
  await deps.sessions.showAgain(place)
  if (!(await isFirst(deps.queue, `stop:${channel}:${thread}:${at}`, REPEATED_WITHIN_MS))) return {}
  const told = { user, channel, thread: isShownIn(event, stopped) ? thread : undefined }
  if ("refusal" in entry) return { ack: entry.refusal, told }
  const reply = stoppedReply(stopped, user)
  const work = async () => void (reply && (await deps.outbound.post({ channel, thread }, reply)))
  return { ack: notStopped(stopped), told, work }
}

async function stopThread(deps: AgentDeps, event: SessionStopped): Promise<Stopped[]> {
  const { user, channel, thread, at } = event
  const open = await deps.sessions.jobsIn({ channel, root: thread })
  const latest = await deps.jobs.inThread(channel, thread)
  return stopJobs(deps, { user, at, ids: latest ? [...open, latest.id] : open })
}

/**
 * Would a private answer in the thread be seen? Slack shows none under a message without replies. In a
 * direct message the answer is a reply like any.
 */
function isShownIn({ channel, thread }: SessionStopped, stopped: readonly Stopped[]): boolean {
  const hasReplies = stopped.some(({ job }) => job.thread === thread || job.closing?.includes("."))
  return hasReplies || channel.startsWith("D")
}
