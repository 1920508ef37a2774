import type { Stopped } from "../jobs/stop.ts"
import type { Message } from "../ports/message.ts"
import { line } from "./blocks.ts"
import { mention } from "./mrkdwn.ts"

/**
 * What Slack's Stop button brought about, for the thread: whoever else asked there reads it as well, and is
 * told by a mention. @param by who pressed it @returns undefined where nothing was stopped
 */
export function stoppedReply(stopped: readonly Stopped[], by: string): Message | undefined {
  const done = stopped.filter(({ result }) => result === "cancelled" || result === "unfollowed")
  const others = mentions(done.filter(({ job }) => job.user !== by))
  const lines = [
    ...cancelledLines(countOf(done, "cancelled")),
    ...unfollowedLines(countOf(done, "unfollowed")),
  ]
  if (lines.length === 0) return undefined
  return line(`${others ? `${others} ` : ""}${lines.join("\n")}`)
}

/** What it could not stop, for who pressed it alone. */
export function notStopped(stopped: readonly Stopped[]): Message | undefined {
  const owners = mentions(stopped.filter(({ result }) => result === "not_yours"))
  const lines = [
    ...(countOf(stopped, "starting") > 0 ? ["*Just starting.* Press Stop again in a moment."] : []),
    ...(owners ? [`:no_entry: *Not stopped.* Only ${owners} or an admin can do that.`] : []),
  ]
  if (lines.length > 0) return line(lines.join("\n"))
  if (stopped.length === 0) return line("Nothing is running in this thread.")
  return stopped.every(({ result }) => result === "ended")
    ? line("Nothing to stop: this job has already ended.")
    : undefined
}

function countOf(stopped: readonly Stopped[], result: Stopped["result"]): number {
  return stopped.filter((one) => one.result === result).length
}

function mentions(stopped: readonly Stopped[]): string {
  return [...new Set(stopped.map(({ job }) => job.user))].map(mention).join(", ")
}

function cancelledLines(count: number): string[] {
  if (count === 0) return []
  return count === 1
    ? ["*Cancelled* before it started. No job was used."]
    : [`*Cancelled ${count} requests* before they started. No jobs were used.`]
}

function unfollowedLines(count: number): string[] {
  if (count === 0) return []
  return count === 1
    ? [
        "*Stopped following.* A running job can't be cancelled: the agent may still finish, but I won't post the result. To change that, use *Follow again* on the card.",
      ]
    : [
        `*Stopped following ${count} jobs.* Running jobs can't be cancelled: the agent may still finish, but I won't post the results. To change that, use *Follow again* on the cards.`,
      ]
}
