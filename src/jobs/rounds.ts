/**
 * Rounds of a job, and selections of its requests. Current are those of the last round, waiting
 * those for the next one; a withdrawn round was never sent.
 *
 * | Selection | queued | creating, active, ended |
 * |---|---|---|
 * | `currentAsks` | current | current |
 * | `openAsks` | current, waiting | current, waiting |
 * | `unsentAsks` | current, waiting | waiting |
 * | `joinedAsks` | current but the first | none |
 * | `sentAsks` | earlier | earlier, current |
 * | `quotedAsks` | earlier, not refused | earlier, not refused |
 * | `standingAsks` | all but withdrawn | all but withdrawn |
 */

import type { Job } from "./job.ts"
import { type Ask, type Ending, type Round, wasNeverSent } from "./round-record.ts"

/** Maximum requests in a queued round, or waiting for the next one: see `SETTINGS.md`. */
export const MAX_FOLLOW_UPS = 50
/**
 * Maximum bytes of all words, quotes and files of a round's requests, so that neither Redis nor the
 * message to the service grows with what people attach.
 */
export const MAX_ROUND_BYTES = 185_000
/** Maximum number of rounds and of their requests that a job keeps: the first and the newest. */
const MAX_ROUNDS = 30
const MAX_ASKS = 150

type Rounds = Pick<Job, "rounds">

/** Returns the round that is queued, being sent or running, or that ended last. */
export function currentRound({ rounds }: Rounds): Round {
  const last = rounds.at(-1)
  if (!last) throw new Error("A job has at least one round.")
  return last
}

export function earlierRounds({ rounds }: Rounds): Round[] {
  return rounds.slice(0, -1)
}

/** Returns the rounds with the current one changed. */
export function withCurrent(job: Rounds, change: Partial<Round>): Round[] {
  return [...earlierRounds(job), { ...currentRound(job), ...change }]
}

/** Changes every request, of each round and of those that wait; drops those made undefined. */
export function eachAsk(
  job: Pick<Job, "rounds" | "waiting">,
  change: (ask: Ask) => Ask | undefined,
) {
  const all = (asks: readonly Ask[]) => asks.flatMap((ask) => change(ask) ?? [])
  const rounds = job.rounds.map((round) => ({ ...round, asks: all(round.asks) }))
  return { rounds, waiting: all(job.waiting) }
}

/** Takes these requests out of every round, and from those that wait. */
export function withoutAsks(job: Pick<Job, "rounds" | "waiting">, ids: readonly string[]) {
  return eachAsk(job, (ask) => (ids.includes(ask.id) ? undefined : ask))
}

/** Returns the requests that the current round sends or has sent. */
export function currentAsks(job: Rounds): Ask[] {
  return currentRound(job).asks
}

/** Returns the requests that go together with this one, itself included. */
export function sentWith(job: Pick<Job, "rounds" | "waiting">, id: string): Ask[] {
  return job.waiting.some((ask) => ask.id === id) ? job.waiting : currentAsks(job)
}

/** Returns the requests of the current round, even once it has ended, and those that wait. */
export function openAsks(job: Pick<Job, "rounds" | "waiting">): Ask[] {
  return [...currentAsks(job), ...job.waiting]
}

/** Returns the requests that the bot has yet to send, which can be changed or taken back. */
export function unsentAsks(job: Pick<Job, "rounds" | "state" | "waiting">): Ask[] {
  return job.state === "queued" ? openAsks(job) : job.waiting
}

/** Returns the requests that joined a queued round; each has a line of its own on the card. */
export function joinedAsks(job: Pick<Job, "rounds" | "state">): Ask[] {
  return job.state === "queued" ? currentAsks(job).slice(1) : []
}

/** Maximum number of follow-ups on a card, which shows the newest. */
const WAITING_SHOWN = 5

/** Returns the follow-ups that the card shows by their first words: those that joined or wait. */
export function followUpsShown(job: Pick<Job, "rounds" | "state" | "waiting">): Ask[] {
  return [...joinedAsks(job), ...job.waiting].slice(-WAITING_SHOWN)
}

/** Returns each request once: those of the rounds in their order, then those that wait. */
export function allAsks({ rounds, waiting }: Pick<Job, "rounds" | "waiting">): Ask[] {
  const all = [...rounds.flatMap(({ asks }) => asks), ...waiting]
  return [...new Map(all.map((ask) => [ask.id, ask])).values()]
}

/** Returns the first request of those that stand, or of all. */
export function firstAsk(job: Pick<Job, "rounds" | "waiting">): Ask | undefined {
  return standingAsks(job)[0] ?? allAsks(job)[0]
}

/** Returns the requests without withdrawn ones, which the next round neither sends nor quotes. */
export function standingAsks({ rounds, waiting }: Pick<Job, "rounds" | "waiting">): Ask[] {
  return allAsks({ rounds: rounds.filter((round) => !wasNeverSent(round)), waiting })
}

/** Returns the requests of earlier rounds that this one quotes: not those withdrawn or refused. */
export function quotedAsks(job: Rounds): Ask[] {
  const own = new Set(currentAsks(job).map(({ id }) => id))
  return quotable(earlierRounds(job)).filter(({ id }) => !own.has(id))
}

/** Returns the requests that a job which continues this one quotes. */
export function workedOn({ rounds }: Rounds): Ask[] {
  return quotable(rounds)
}

function quotable(rounds: readonly Round[]): Ask[] {
  const sent = rounds.filter((round) => !wasNeverSent(round) && round.ending !== "refused")
  return allAsks({ rounds: sent, waiting: [] })
}

/** Returns the requests that the agent has been sent, or is being sent now. */
export function sentAsks(job: Pick<Job, "rounds" | "state">): Ask[] {
  const rounds = job.state === "queued" ? earlierRounds(job) : job.rounds
  return rounds.filter((round) => !wasNeverSent(round)).flatMap(({ asks }) => asks)
}

/** Returns whether everybody who asked was forgotten. */
export function isForgotten(asks: readonly Pick<Ask, "isForgotten">[]): boolean {
  return asks.every((ask) => ask.isForgotten)
}

/** Returns how the job ended, unless it waits or is under way. */
export function endingOf(job: Pick<Job, "rounds" | "state">): Ending | undefined {
  return job.state === "ended" ? currentRound(job).ending : undefined
}

/** Returns the round that a change has ended, if it has; taking a later one away ends none. */
export function endedRound(
  before: Rounds,
  after: Rounds,
): (Round & { ending: Ending }) | undefined {
  const { ending, ...round } = currentRound(after)
  if (ending === undefined) return undefined
  const isOld = before.rounds.some((old) => old.id === round.id && old.ending !== undefined)
  return isOld ? undefined : { ...round, ending }
}

/** Returns whether the round changes a pull request that an earlier round opened. */
export function isUpdate(job: Rounds): boolean {
  return currentRound(job).way === "message"
}

/** Returns who began the round with *Run again*, while it repeats anything. */
export function rerunBy(job: Rounds): string | undefined {
  const { again } = currentRound(job)
  return again?.how === "run" && repeatedAsks(job).length > 0 ? again.user : undefined
}

/** Returns the requests of the current round that the one before had, too. */
export function repeatedAsks(job: Rounds): Ask[] {
  const before = new Set(
    earlierRounds(job)
      .at(-1)
      ?.asks.map(({ id }) => id),
  )
  return currentAsks(job).filter(({ id }) => before.has(id))
}

/** Inserts the request in the order of the messages, because Slack may repeat events late. */
export function withAsk(asks: readonly Ask[], ask: Ask): Ask[] {
  const later = asks.findIndex(({ ts }) => ts && ask.ts && Number(ts) > Number(ask.ts))
  return later < 0 ? [...asks, ask] : asks.toSpliced(later, 0, ask)
}

export function bytesOf(asks: readonly Pick<Ask, "bytes" | "fileBytes">[]): number {
  return asks.reduce((sum, { bytes = 0, fileBytes = 0 }) => sum + bytes + fileBytes, 0)
}

/** Returns whether these requests may be sent together. */
export function fitsRound(asks: readonly Ask[]): boolean {
  return asks.length <= MAX_FOLLOW_UPS && bytesOf(asks) <= MAX_ROUND_BYTES
}

/** Leaves out rounds after the first, oldest first, while there are too many. */
export function bounded(rounds: readonly Round[]): Round[] {
  const first = rounds.slice(0, 1)
  const later = rounds.slice(1).slice(1 - MAX_ROUNDS)
  const count = () => [...first, ...later].reduce((sum, { asks }) => sum + asks.length, 0)
  while (later.length > 2 && count() > MAX_ASKS) later.shift()
  return [...first, ...later]
}

/** Returns everybody whose request the round carried out and who has not muted the job. */
export function recipientsOf(job: Job): string[] {
  const askers = currentAsks(job).map(({ user }) => user)
  const all = new Set(askers.length > 0 ? askers : [job.user])
  return [...all].filter((user) => !job.muted.includes(user))
}

/** Stops mentioning this person; the card stays up to date. */
export function muted(job: Job, user: string) {
  if (job.muted.includes(user)) return undefined
  return { set: { muted: [...job.muted, user] } }
}

/** Ends a person's mute, because they ask for something in the job again. */
export function withoutMute(job: Job, user: string): Job {
  return { ...job, muted: job.muted.filter((other) => other !== user) }
}

/** Returns whose turn a queued round uses: of who pressed *Run again*, or else who asked first. */
export function turnOf(job: Job): string {
  if (job.state !== "queued") return job.turnOf
  return rerunBy(job) ?? currentAsks(job)[0]?.user ?? job.turnOf
}

/**
 * Returns the moment from which the round may start: its card is posted and not in doubt, all its
 * requesters are looked up, and the delay since the card and the last request is over. Undefined
 * until then.
 */
export function readyAt(job: Job, delayMs: number): number | undefined {
  const { asks, at } = currentRound(job)
  const isShown = job.card !== undefined && job.doubt === undefined
  const isReady = isShown && asks.every(({ isPrepared }) => isPrepared)
  if (job.state !== "queued" || !isReady) return undefined
  const rerunAt = rerunBy(job) === undefined ? 0 : at
  return Math.max(job.cardAt ?? 0, rerunAt, ...asks.map((ask) => ask.at)) + delayMs
}
