import { ALERTS } from "../../config/timing.ts"
import { addDays, type Day, dayOf, startOf } from "../day.ts"
import { type CountDeps, countsOf } from "./counts.ts"
import { judge, WEEKS } from "./judge.ts"
import type { ChannelAlerts, Watch, Watched } from "./ports.ts"
import { follow, type JudgedDay, type News } from "./story.ts"

/** After a longer time without a bot only this many days are looked at. */
const MOST_DAYS = 14

/** What is new about one watch. */
export interface WatchNews {
  watch: Watch
  news: News
}

export interface Looked {
  state: ChannelAlerts["state"]
  news: WatchNews[]
}

/** The last day that may be looked at. @param now ms */
export function lastClosed(now: number): Day {
  return addDays(dayOf(now - ALERTS.firstLookMs), -1)
}

/** When the day after this one may be looked at, ms. */
export function nextLook(day: Day): number {
  return startOf(addDays(day, 2)) + ALERTS.firstLookMs
}

/**
 * Judges every day that was not judged yet, for each watch of a channel. Throws DocsError.
 * @param now ms
 * @returns `waitMs` while one of the days may still grow: a channel hears of all its watches together
 */
export async function lookAt(
  deps: CountDeps,
  { watches, state }: ChannelAlerts,
  now: number,
): Promise<Looked | { waitMs: number }> {
  const last = lastClosed(now)
  const next: Record<string, Watched> = {}
  const news: WatchNews[] = []
  for (const watch of watches) {
    const before = state[watch.id]
    const days = daysBetween(firstDay(watch, before, last), last)
    const judged = await judgeDays(deps, watch, days, now)
    if ("waitMs" in judged) return judged
    const followed = follow(before?.story, judged.days)
    next[watch.id] = { judged: last, story: followed.story }
    if (followed.news.began || followed.news.over) news.push({ watch, news: followed.news })
  }
  return { state: next, news }
}

/** Where nothing can be read for long, these days are passed over. */
export function passOver({ watches, state }: ChannelAlerts, now: number): ChannelAlerts["state"] {
  const judged = lastClosed(now)
  return Object.fromEntries(watches.map(({ id }) => [id, { ...state[id], judged }]))
}

function firstDay(watch: Watch, before: Watched | undefined, last: Day): Day {
  const after = before ? addDays(before.judged, 1) : watch.from
  const oldest = addDays(last, 1 - MOST_DAYS)
  return after < oldest ? oldest : after
}

function daysBetween(first: Day, last: Day): Day[] {
  const days: Day[] = []
  for (let day = first; day <= last; day = addDays(day, 1)) days.push(day)
  return days
}

async function judgeDays(
  deps: CountDeps,
  watch: Watch,
  days: readonly Day[],
  now: number,
): Promise<{ days: JudgedDay[] } | { waitMs: number }> {
  const judged: JudgedDay[] = []
  for (const day of days) {
    const weeks = Array.from({ length: WEEKS }, (_, n) => addDays(day, -7 * (n + 1)))
    const found = await countsOf(deps, watch, [...weeks.toReversed(), day], now)
    if ("waitMs" in found) return found
    const visitorsOn = (one: Day) => found.counts.get(one)?.[watch.of] ?? 0
    const visitors = visitorsOn(day)
    judged.push({ day, visitors, verdict: judge(visitors, weeks.map(visitorsOn)) })
  }
  return { days: judged }
}
