/** Ends of a round: reported, withdrawn unsent, or given back. Pure; see `transitions.ts`. */

import type { Change } from "./change.ts"
import type { Job } from "./job.ts"
import type { Ask, Ending } from "./round.ts"
import { allAsks, currentRound, earlierRounds, withCurrent } from "./rounds.ts"

/** Endings that waiting follow-ups share: sending them could repeat work or be refused again. */
const SHARED: ReadonlySet<Ending> = new Set(["unknown", "refused"])

/** Ends the round. Waiting follow-ups begin once the requester has been told: see `nextRound`. */
export function ended(job: Job, ending: Ending, now: number, detail?: string): Change {
  const isShared = SHARED.has(ending)
  const asks = [...currentRound(job).asks, ...(isShared ? job.waiting : [])]
  const end = { ending, endedAt: now, detail: detail || undefined, asks }
  return {
    set: {
      state: "ended",
      rounds: withCurrent(job, end),
      waiting: isShared ? [] : job.waiting,
    },
    due: { outbox: 0, sessions: 0 },
  }
}

/**
 * Withdraws an unsent round: a first one ends the job and stays for *Run again*, a later one is
 * taken away. @param gone ids of withdrawn requests; those of the round need not be among them
 */
export function withoutRound(
  job: Job,
  ending: Ending,
  now: number,
  gone: readonly string[] = [],
): Change {
  const waiting = job.waiting.filter(({ id }) => !gone.includes(id))
  const isFirst = earlierRounds(job).length === 0
  const end = isFirst ? ended({ ...job, waiting }, ending, now) : takenAway(job, waiting)
  const left = allAsks({ ...job, ...end.set } as Job).map(({ id }) => id)
  const forget = allAsks(job).flatMap(({ id }) => (left.includes(id) ? [] : id))
  return { ...end, set: { isAwaited: true, ...end.set }, forget, withdrawn: ending }
}

/** Returns the job to how the round before ended, of which people know. */
function takenAway(job: Job, waiting: Ask[]): Change {
  const rounds = earlierRounds(job)
  return { set: { state: "ended", rounds, waiting }, due: { outbox: 0, sessions: 0 } }
}

/**
 * Takes away a round that cannot go as a message. Its requests wait in the round before, for the
 * step that moves them to a new job.
 */
export function waitingAgain(job: Job): Change | undefined {
  if (earlierRounds(job).length === 0) return undefined
  const { asks } = currentRound(job)
  const back = takenAway(job, [...asks, ...job.waiting])
  const rounds = earlierRounds(job).map((round) => ({
    ...round,
    asks: round.asks.filter(({ id }) => !asks.some((ask) => ask.id === id)),
  }))
  // Without the service's job, no later round tries a message again.
  return { ...back, set: { ...back.set, rounds, agentJobId: undefined, isAwaited: true } }
}
