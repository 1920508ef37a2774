import type { Message } from "../ports/message.ts"
import { line } from "./blocks.ts"
import { notYoursWords } from "./private.ts"

/** The effect of Slack's own Stop button on one job of the thread. */
export type Stopped =
  | { result: "cancelled" | "muted" | "starting" | "ended" }
  /** It belongs to others, who are named. */
  | { result: "not_yours"; owners: readonly string[] }

/** Says what Stop did, and what it could not do. @param stopped one for each job of the thread */
export function stoppedMessage(stopped: readonly Stopped[]): Message {
  const count = (result: Stopped["result"]) => stopped.filter((one) => one.result === result).length
  const owners = stopped.flatMap((one) => (one.result === "not_yours" ? one.owners : []))
  const cancelled = count("cancelled")
  const lines = [
    cancelled > 1 && `*Cancelled ${cancelled} requests* before they started.`,
    cancelled === 1 && "*Cancelled* before it started.",
    count("muted") > 0 &&
      "*Muted.* The agent can't be interrupted and may still open a pull request.",
    count("starting") > 0 && "*It's just starting.* Press Stop again in a few seconds.",
    owners.length > 0 && notYoursWords(owners),
  ].filter((one) => one !== false)
  return line(lines.length > 0 ? lines.join("\n") : "*Nothing to stop.* Nothing is running here.")
}
