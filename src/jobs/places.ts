import { estimateStarts, type HourLimits } from "./estimate.ts"
import type { QueuePlace } from "./job.ts"
import type { Pause, QueueFacts, WaitReason } from "./ports.ts"

/** Edits are scarce (50 a minute for the workspace), so a card follows only moves that matter. */
const MATTERS_MS = 5 * 60_000
const FIRST_PLACES = 5

/** Place, start and pause of every waiting job. Pure. */
export function placesOf(facts: QueueFacts, limits: HourLimits): Map<string, QueuePlace> {
  const starts = estimateStarts(facts, limits)
  const paused: WaitReason | "" = pausedNow(facts) ?? (facts.opensAt ? "catching_up" : "")
  return new Map(
    facts.waiting.map(({ id }, i) => [
      id,
      placeAt(i + 1, starts.get(id) ?? facts.now, facts.now, paused),
    ]),
  )
}

function placeAt(place: number, startsAt: number, now: number, paused: string): QueuePlace {
  return { place, startsAt, soon: startsAt <= now, paused }
}

/** The reason nothing starts at this moment, if any. */
export function pausedNow({ pause, now }: { pause?: Pause | undefined; now: number }) {
  return pause && (pause.until === undefined || pause.until > now) ? pause.reason : undefined
}

/** Is what the card shows no longer true enough? */
export function hasMoved(shown: Partial<QueuePlace>, is: QueuePlace): boolean {
  if (shown.place === undefined || shown.startsAt === undefined) return true
  if ((shown.paused ?? "") !== is.paused) return true
  if (Math.abs(is.startsAt - shown.startsAt) > MATTERS_MS) return true
  return is.place !== shown.place && Math.min(is.place, shown.place) <= FIRST_PLACES
}
