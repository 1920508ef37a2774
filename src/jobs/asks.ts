import { type Ask, type Ending, type Job, waitingAsks } from "./job.ts"

/** Endings of requests that were never sent: not quoted, not replied to, no repeat of another. */
const NEVER_SENT: ReadonlySet<Ending> = new Set(["cancelled", "no_card", "not_allowed"])

/** Returns the requests that the next round sends or quotes, without words that were refused. */
export function quotableAsks(job: Job): readonly Ask[] {
  const { asks, round, ending } = job
  return ending === "refused" ? asks.filter((ask) => ask.round !== round) : standingAsks(job)
}

/** Returns the requests without withdrawn ones, which the next round neither sends nor quotes. */
export function standingAsks(job: Job): readonly Ask[] {
  return job.ending && NEVER_SENT.has(job.ending) ? waitingAsks(job) : job.asks
}

/** Returns the requests that the agent has been sent, or is being sent now. */
export function sentAsks({ asks, round, state, ending }: Job): Ask[] {
  const isUnsent = state === "queued" || (ending !== undefined && NEVER_SENT.has(ending))
  return asks.filter((ask) => (isUnsent ? ask.round < round : ask.round <= round))
}

/** Returns whether people were told how the round ended, or need no message about it. */
export function isTold({ result, round, ending }: Job): boolean {
  return result?.round === round || (ending !== undefined && NEVER_SENT.has(ending))
}

/** Returns who began the current round with *Run again* and when, if it is a retry. */
export function retryOf({ origin }: Job) {
  return origin?.kind === "retry" ? origin : undefined
}
