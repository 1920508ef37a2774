import type { PauseLengths } from "../../config/timing.ts"
import type { Job } from "../../jobs/job.ts"
import type { CreationOutcome } from "../../jobs/queue-ports.ts"
import { jobKeys, KEEP_MS, keys, queueKeys } from "../keys.ts"
import type { Store } from "../script.ts"
import { becomeCreation, created, endCreating, putBack } from "./settlement.lua.ts"

/** "Try again at once" is no pause: a service that says so without end would be asked without end. ms */
const SHORTEST_PAUSE_MS = 1000

/** A queue as it is stored, and what tells its project's key from another. */
export interface StoredQueue {
  queue: string
  key: string
}

/** Writes down what came of a creation. */
export function createSettlement(on: Store, pauses: PauseLengths) {
  /** Ends a creation without a job to follow; `rest` says how long the queue pauses after it. */
  async function end(
    { queue, key }: StoredQueue,
    id: string,
    user: string,
    token: string,
    { kind, detail }: { kind: "refused" | "unknown" | "cancelled"; detail: string },
    rest = { firstMs: 0, longestMs: 0 },
  ): Promise<number> {
    const own = { ...jobKeys(id), ...keys.project(queue) }
    const args = { id, token, user, ending: kind, detail, ...rest, keepMs: KEEP_MS, key }
    return endCreating(on, own, args)
  }

  async function settle(
    at: StoredQueue,
    { id, project, user }: Pick<Job, "id" | "project" | "user">,
    token: string,
    outcome: CreationOutcome,
    pollMs: number,
  ): Promise<void> {
    const { queue, key } = at
    const { pause, refused } = keys.project(project)
    const own = { ...jobKeys(id), ...queueKeys(queue, user), refused }
    const { firstMs, outageFirstMs, longestMs } = pauses
    if (outcome.kind === "created") {
      const { agentJobId: agent, prLink = "", isReactivated } = outcome
      const rest = { pollMs, turned: isReactivated ? "1" : "", key }
      await created(on, own, { id, token, user, agent, prLink, ...rest })
    } else if (outcome.kind === "put_back") {
      const why = { reason: outcome.reason ?? "", pauseMs: pauseLength(outcome) }
      const rest = { firstMs, longestMs, key, keepMs: KEEP_MS }
      // A refused key is the project's trouble, of which admins are told once.
      const resting = why.pauseMs === "key" ? { ...own, pause } : own
      await putBack(on, resting, { id, token, user, ...why, ...rest })
    } else if (outcome.kind === "needs_job") {
      const to = queueKeys(project, user)
      const { wait: newWait, waiting: newWaiting, last: newLast, busy: newBusy } = to
      const both = { ...own, newWait, newWaiting, newLast, newBusy }
      await becomeCreation(on, both, { id, token, user, project, keepMs: KEEP_MS })
    } else {
      await end(at, id, user, token, outcome, { firstMs: outageFirstMs, longestMs })
    }
  }

  return { settle, end }
}

function pauseLength(outcome: Extract<CreationOutcome, { kind: "put_back" }>): string | number {
  if (outcome.reason === "key_refused" || outcome.reason === "forbidden") return "key"
  return outcome.pauseMs === undefined ? "" : Math.max(outcome.pauseMs, SHORTEST_PAUSE_MS)
}
