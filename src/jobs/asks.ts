import type { Ask, Ending, Job } from "./job.ts"

/** Endings of requests that were never sent: not quoted, not replied to, no repeat of another. */
const NEVER_SENT: ReadonlySet<Ending> = new Set(["cancelled", "no_card", "not_allowed"])

/** Returns the requests that the current round sends or has sent. */
export function currentAsks({ asks, round }: Pick<Job, "asks" | "round">): Ask[] {
  return asks.filter((ask) => ask.round === round)
}

/** Returns the follow-ups that wait for the current round to end. */
export function waitingAsks({ asks, round }: Pick<Job, "asks" | "round">): Ask[] {
  return asks.filter((ask) => ask.round > round)
}

/** Returns whether everybody who asked was forgotten. */
export function isForgotten({ asks }: Pick<Job, "asks">): boolean {
  return asks.every((ask) => ask.isForgotten)
}

/** Returns the requests that the next round sends or quotes, without words that were refused. */
export function quotableAsks(job: Job): readonly Ask[] {
  const { asks, round, ending } = job
  return ending === "refused" ? asks.filter((ask) => ask.round !== round) : standingAsks(job)
}

/** Returns an earlier job's requests without withdrawn or refused ones and those that wait there. */
export function workedOn(job: Job): Ask[] {
  return quotableAsks(job).filter(({ round }) => round <= job.round)
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

/** Returns who began the round with *Run again* and when, while it repeats anything. */
export function retryOf(job: Job) {
  const { at = 0, retryBy: user } = job.origin ?? {}
  return user !== undefined && repeatedAsks(job).length > 0 ? { user, at } : undefined
}

/** Returns the requests of the current round that an earlier one has sent, if it is a retry. */
export function repeatedAsks(job: Job): Ask[] {
  const retriedAt = job.origin?.retryBy === undefined ? 0 : job.origin.at
  return currentAsks(job).filter(({ at }) => at < retriedAt)
}

/** Moves the requests that wait into the current round. */
export function takenIn({ asks, round }: Job): Ask[] {
  return asks.map((ask) => (ask.round > round ? { ...ask, round } : ask))
}

/** Moves the requests of the current round to the next one, and those that wait behind them. */
export function carriedOver({ asks, round }: Job): Ask[] {
  return asks.map((ask) => (ask.round >= round ? { ...ask, round: ask.round + 1 } : ask))
}

/** Inserts the request in the order of the messages, because Slack may repeat events late. */
export function joined(asks: readonly Ask[], ask: Ask): Ask[] {
  const later = asks.findIndex(
    ({ round, ts }) => round === ask.round && ts && ask.ts && Number(ts) > Number(ask.ts),
  )
  return later < 0 ? [...asks, ask] : asks.toSpliced(later, 0, ask)
}
