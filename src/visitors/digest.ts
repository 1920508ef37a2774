import { z } from "zod"
import { orSlackError, SlackError } from "../errors/slack-error.ts"
import type { PlaceOf } from "../messages/refusals.ts"
import {
  cannotSubscribe,
  nothingSubscribed,
  subscribed,
  subscribedBefore,
  subscriptionList,
  unsubscribed,
} from "../messages/visitors/digest.ts"
import type { Message } from "../ports/message.ts"
import type { Outbound } from "../ports/outbound.ts"
import type { Clock } from "../runtime/time.ts"
import { addDays, type Day, dayOf, firstOfMonth, mondayOf, startOf } from "./day.ts"
import { periodBefore, type Range } from "./range.ts"
import type { ScheduledPosts } from "./scheduled-posts.ts"

const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS

export const every = ["daily", "weekly", "monthly"] as const

/** When a digest is posted, on the subscriber's clock. Weekly means Mondays, monthly the first. */
const rhythm = z.object({
  every: z.enum(every),
  hour: z.number().int().min(0).max(23),
  minute: z.number().int().min(0).max(59),
})
export type Rhythm = z.infer<typeof rhythm>

export const digest = z.object({
  team: z.string(),
  channel: z.string(),
  project: z.string(),
  /** The person who subscribed the channel. */
  user: z.string(),
  /** IANA name of their time zone at that time. */
  zone: z.string().refine(isZone),
  rhythm,
})
export type Digest = z.infer<typeof digest>

interface DigestDeps {
  posts: ScheduledPosts
  outbound: Outbound
  now: Clock
  placeOf: PlaceOf
}

/** Is it a name, or another form, of a zone that this Node knows the clock of? */
function isZone(zone: string): boolean {
  try {
    new Intl.DateTimeFormat("en", { timeZone: zone })
    return true
  } catch {
    return false
  }
}

/** The last whole days before now, in UTC, and what they are compared with: a day with its weekday. */
export function digestRanges(kind: Rhythm["every"], now: number): { range: Range; before: Range } {
  const today = dayOf(now)
  const yesterday = addDays(today, -1)
  if (kind === "daily") {
    const [range, week] = [yesterday, addDays(yesterday, -7)].map((day) => ({ from: day, to: day }))
    if (range && week) return { range, before: week }
  }
  const first = firstOfMonth(today)
  const range =
    kind === "monthly"
      ? { from: firstOfMonth(addDays(first, -1)), to: addDays(first, -1) }
      : { from: addDays(today, -7), to: yesterday }
  return { range, before: periodBefore(range) }
}

/**
 * The first moment after `after` at which a digest is due, ms. A local time that a daylight-saving
 * change leaves out is moved forward by the gap; one that comes twice means the first.
 *
 * A monthly digest never goes out before the month is over in UTC, because its days are UTC: far east
 * of Greenwich it is posted on the second.
 * @param zone IANA name
 */
export function nextDigest(of: Rhythm, zone: string, after: number): number {
  const start = addDays(dayOf(wallClock(after, zone)), -1)
  // A month and three days reach past every gap between two digests.
  for (let n = 0; n <= 34; n++) {
    const day = addDays(start, n)
    const at = isDueOn(day, of, zone) ? momentOf(day, of, zone) : 0
    if (at > after) return at
  }
  throw new RangeError(`No ${of.every} digest was found after ${after} in ${zone}`)
}

function isDueOn(day: Day, of: Rhythm, zone: string): boolean {
  if (of.every === "daily") return true
  if (of.every === "weekly") return mondayOf(day) === day
  const first = firstOfMonth(day)
  const isOver = firstOfMonth(dayOf(momentOf(first, of, zone))) === first
  return day === (isOver ? first : addDays(first, 1))
}

/** A local time of day as a moment, ms. */
function momentOf(day: Day, { hour, minute }: Rhythm, zone: string): number {
  const wall = startOf(day) + (hour * 60 + minute) * MINUTE_MS
  const by = (near: number) => wall - (wallClock(near, zone) - near)
  // By the clock as it went before a change of this day, and as it goes after it.
  const [before, after] = [by(wall - DAY_MS), by(wall + DAY_MS)]
  return wallClock(before, zone) !== wall && wallClock(after, zone) === wall ? after : before
}

/** Reads a clock in the zone as if it were UTC, ms. */
function wallClock(at: number, zone: string): number {
  const parts = new Intl.DateTimeFormat("en", {
    timeZone: zone,
    hourCycle: "h23",
    year: "numeric",
    month: "numeric",
    day: "numeric",
    hour: "numeric",
    minute: "numeric",
  }).formatToParts(at)
  const number = (type: string) => Number(parts.find((part) => part.type === type)?.value)
  const [year, month, day] = [number("year"), number("month"), number("day")]
  return Date.UTC(year, month - 1, day, number("hour"), number("minute"), 0) + (at % MINUTE_MS)
}

/**
 * Subscribes a channel: stored first, so that of several people at the same moment one is heard, then
 * said in the channel, so that everybody there knows. A channel that refuses the post gets no digest.
 * @returns what to say privately; nothing when it was said in the channel
 */
export async function subscribe(
  { posts, outbound, now, placeOf }: DigestDeps,
  asked: Digest,
): Promise<Message | undefined> {
  const { channel, rhythm: every } = asked
  const zone = isZone(asked.zone) ? asked.zone : "UTC"
  const wanted = { ...asked, zone }
  const dueAt = nextDigest(every, zone, await now())
  const before = await posts.saveDigest(wanted, dueAt)
  if (before && isSame(before, wanted)) return subscribedBefore(before, dueAt)
  const refused = await outbound.post({ channel }, subscribed(wanted)).catch(orSlackError)
  if (!(refused instanceof SlackError)) return undefined
  if (before) await posts.saveDigest(before, nextDigest(before.rhythm, before.zone, await now()))
  else await posts.removeDigest(wanted)
  return cannotSubscribe(refused, await placeOf(channel))
}

function isSame(one: Digest, other: Digest): boolean {
  const facts = ({ project, zone, rhythm: { every: kind, hour, minute } }: Digest) =>
    JSON.stringify([project, zone, kind, hour, minute])
  return facts(one) === facts(other)
}

/** Ends one digest of a channel, or all of them. Anybody who may use the bot there may do so. */
export async function unsubscribe(
  { posts, outbound }: Pick<DigestDeps, "posts" | "outbound">,
  place: { team: string; channel: string; user: string },
  kind: Rhythm["every"] | undefined,
): Promise<Message | undefined> {
  const kinds = kind === undefined ? every : [kind]
  const removed = await Promise.all(
    kinds.map((name) => posts.removeDigest({ ...place, rhythm: { every: name } })),
  )
  const ended = removed.filter((one) => one !== undefined)
  if (ended.length === 0) return nothingSubscribed()
  const words = unsubscribed(place.user, ended)
  const refused = await outbound.post({ channel: place.channel }, words).catch(orSlackError)
  return refused instanceof SlackError ? words : undefined
}

/** The digests of a channel, each with its next moment. */
export async function listDigests(
  { posts, now }: Pick<DigestDeps, "posts" | "now">,
  place: { team: string; channel: string },
): Promise<Message> {
  const at = await now()
  const digests = await posts.digests(place)
  const due = digests.map((one) => ({ one, dueAt: nextDigest(one.rhythm, one.zone, at) }))
  return due.length === 0 ? nothingSubscribed() : subscriptionList(due)
}
