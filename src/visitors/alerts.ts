import { z } from "zod"
import { orSlackError } from "../errors/slack-error.ts"
import type { Message } from "../messages/blocks.ts"
import { cannotPostHere } from "../messages/refusals.ts"
import {
  ALERTS_ON_ALREADY,
  alertList,
  alertsOff,
  alertsOn,
  NO_ALERTS,
  tooManyAlerts,
} from "../messages/visitors/alerts.ts"
import { addDays, type Day, dayOf, startOf } from "./day.ts"
import type { Readings } from "./readings.ts"
import type { ChannelDeps, Place } from "./scheduled-posts.ts"

const watchedKinds = ["human", "ai"] as const
export type WatchedKind = (typeof watchedKinds)[number]

/** One watch of a channel: the bot watches people and AI separately, on the whole site or below a path. */
export const watch = z.object({
  /** The project's key. */
  project: z.string(),
  of: z.enum(watchedKinds),
  filter: z.exactOptional(z.string()),
  /** The person who turned it on. */
  user: z.string(),
})
export type Watch = z.infer<typeof watch>

/** The part of the traffic that a person named; all of it if they named none. */
export interface Watched {
  of?: WatchedKind
  filter?: string
}

/** An unusual day of one watch. */
export interface OddDay {
  watch: Watch
  day: Day
  visitors: number
  usual: number
}

const HOUR_MS = 3_600_000
/** The weeks that a day is compared with, and how many of them must have data: a new site has no usual day. */
const WEEKS = 8
const FEWEST_WEEKS = 4
/** The smallest change worth an alert, visitors. */
const SMALLEST = 20
/** The most watches of a channel; nobody would read more alerts. */
const MOST_WATCHES = 10

const AGAIN = { again: "turn alerts on again", unsure: "turn alerts on again" }

/** Returns the next noon in UTC, at which the bot checks the day before. @param after ms */
export function nextLook(after: number): number {
  return startOf(addDays(dayOf(after - 12 * HOUR_MS), 1)) + 12 * HOUR_MS
}

/**
 * Returns the median of the same weekday in earlier weeks if the day is less than half or more than
 * twice of it, and at least 20 visitors away. A weekday without visitors counts as one without
 * data.
 */
export function unusual(visitors: number, before: readonly number[]): number | undefined {
  const known = before.filter((count) => count > 0).toSorted((a, b) => a - b)
  if (known.length < FEWEST_WEEKS) return undefined
  const middle = (known.length - 1) / 2
  const median = ((known[Math.floor(middle)] ?? 0) + (known[Math.ceil(middle)] ?? 0)) / 2
  const isOdd = visitors < median / 2 || visitors > median * 2
  return isOdd && Math.abs(visitors - median) >= SMALLEST ? median : undefined
}

/** Returns the watches for which the latest checkable day was unusual. Throws DocsError. @param at ms */
export async function oddDays(
  readings: Readings,
  watches: readonly Watch[],
  at: number,
): Promise<OddDay[]> {
  const day = addDays(dayOf(at - 12 * HOUR_MS), -1)
  const odd: OddDay[] = []
  for (const watch of watches) {
    const counts: number[] = []
    // Reads one day after another: if the hour ends in between, the cache keeps the days read so
    // far.
    for (let week = 0; week <= WEEKS; week++)
      counts.push((await visitorsOn(readings, watch, addDays(day, -7 * week)))[watch.of])
    const [visitors = 0, ...before] = counts
    const usual = unusual(visitors, before)
    if (usual !== undefined) odd.push({ watch, day, visitors, usual })
  }
  return odd
}

function visitorsOn(readings: Readings, { project, filter }: Watch, day: Day) {
  return filter === undefined
    ? readings.figures(undefined, project, { from: day, to: day })
    : readings.below(project, day, filter)
}

/**
 * Adds a watch to a channel. Stores it first, so that of several people at the same moment only one
 * succeeds, then announces it in the channel. A channel that refuses the post gets no alerts.
 * @returns the private answer; nothing if the channel got the announcement
 */
export async function turnOn(
  { posts, outbound, now, placeOf }: ChannelDeps,
  { team, channel, user, project }: Place & { user: string; project: string },
  { of, filter }: Watched,
): Promise<Message | undefined> {
  const place = { team, channel }
  const part = filter === undefined ? {} : { filter }
  const wanted = (of === undefined ? watchedKinds : [of]).map(
    (kind): Watch => ({ project, of: kind, user, ...part }),
  )
  let isFull = false
  const due = nextLook(await now())
  const changed = await posts.changeWatches(place, due, (was) => {
    const fresh = wanted.filter((one) => !was.some((other) => isSame(one, other)))
    isFull = was.length + fresh.length > MOST_WATCHES
    return isFull ? was : [...was, ...fresh]
  })
  if (isFull) return tooManyAlerts(MOST_WATCHES)
  const added = changed.now.slice(changed.was.length)
  if (added.length === 0) return ALERTS_ON_ALREADY
  const refused = await outbound
    .post({ channel }, alertsOn(user, added))
    .then(() => undefined, orSlackError)
  if (!refused) return undefined
  const isAdded = (watch: Watch) => added.some((one) => isSame(one, watch))
  await posts.changeWatches(place, due, (was) => was.filter((watch) => !isAdded(watch)))
  return cannotPostHere(refused, await placeOf(channel), AGAIN)
}

function isSame(one: Watch, other: Watch): boolean {
  return one.project === other.project && one.of === other.of && one.filter === other.filter
}

/** Ends the named watches. Anybody who may use the bot there may do so. */
export async function turnOff(
  { posts, outbound }: ChannelDeps,
  { team, channel, user }: Place & { user: string },
  { of, filter }: Watched,
): Promise<Message | undefined> {
  const isMeant = (watch: Watch) =>
    (of === undefined || watch.of === of) && (filter === undefined || watch.filter === filter)
  const { was, now } = await posts.changeWatches({ team, channel }, 0, (watches) =>
    watches.filter((watch) => !isMeant(watch)),
  )
  const ended = was.filter((watch) => !now.includes(watch))
  if (ended.length === 0) return NO_ALERTS
  const words = alertsOff(user, ended)
  const refused = await outbound.post({ channel }, words).then(() => undefined, orSlackError)
  return refused && words
}

export async function listAlerts({ posts, nameOf }: ChannelDeps, place: Place): Promise<Message> {
  const watches = await posts.watches(place)
  return watches.length === 0 ? NO_ALERTS : alertList(watches, nameOf)
}
