import { DateTime, IANAZone } from "luxon"
import { z } from "zod"
import { orSlackError } from "../errors/slack-error.ts"
import type { Message } from "../messages/blocks.ts"
import { cannotPostHere } from "../messages/refusals.ts"
import {
  NO_DIGEST,
  subscribed,
  subscribedBefore,
  subscriptionList,
  unsubscribed,
} from "../messages/visitors/digest.ts"
import { addDays, dayOf, firstOfMonth } from "./day.ts"
import { periodBefore, type Range } from "./range.ts"
import type { ChannelDeps, Place } from "./scheduled-posts.ts"

export const every = ["daily", "weekly", "monthly"] as const

/** The schedule of a digest, on the subscriber's clock. Weekly means Mondays, monthly the first. */
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
  /** The user who subscribed the channel. */
  user: z.string(),
  /** IANA name of that user's time zone at the subscription. */
  zone: z.string().refine((zone) => IANAZone.isValidZone(zone)),
  rhythm,
})
export type Digest = z.infer<typeof digest>

const AGAIN = { again: "subscribe again", unsure: "subscribe again" }

/** Returns the latest whole UTC days and the period to compare them with; a single day with the same weekday before. */
export function digestRanges(kind: Rhythm["every"], now: number): { range: Range; before: Range } {
  const today = dayOf(now)
  const yesterday = addDays(today, -1)
  if (kind === "daily") {
    const week = addDays(yesterday, -7)
    return { range: { from: yesterday, to: yesterday }, before: { from: week, to: week } }
  }
  const first = firstOfMonth(today)
  const range =
    kind === "monthly"
      ? { from: firstOfMonth(addDays(first, -1)), to: addDays(first, -1) }
      : { from: addDays(today, -7), to: yesterday }
  return { range, before: periodBefore(range) }
}

/**
 * Returns the first moment after `after` at which a digest is due, ms. If daylight saving skips the
 * local time, moves it forward by the gap; if the time comes twice, takes the first.
 *
 * A monthly digest never goes out before the month is over in UTC, because its days are UTC; far
 * east of Greenwich the bot posts it on the second.
 * @param zone IANA name
 */
export function nextDigest(of: Rhythm, zone: string, after: number): number {
  const { hour, minute } = of
  const start = DateTime.fromMillis(after, { zone }).startOf("day")
  // A month and three days are longer than any wait between two digests.
  for (let days = 0; days <= 34; days++) {
    const at = start.plus({ days }).set({ hour, minute })
    if (at.toMillis() > after && isDueOn(at, of.every)) return at.toMillis()
  }
  throw new RangeError(`No ${of.every} digest was found after ${after} in ${zone}`)
}

function isDueOn(at: DateTime, kind: Rhythm["every"]): boolean {
  if (kind === "daily") return true
  if (kind === "weekly") return at.weekday === 1
  const isFirstOver = at.set({ day: 1 }).toUTC().day === 1
  return at.day === (isFirstOver ? 1 : 2)
}

/**
 * Subscribes a channel. Stores the digest first, so that of several people at the same moment only
 * one succeeds, then announces it, so that everybody in the channel knows. A channel that refuses
 * the post gets no digest.
 * @returns what to say privately; nothing when it was said in the channel
 */
export async function subscribe(
  { posts, outbound, now, placeOf }: ChannelDeps,
  asked: Digest,
): Promise<Message | undefined> {
  const { channel, rhythm } = asked
  const wanted = { ...asked, zone: IANAZone.isValidZone(asked.zone) ? asked.zone : "UTC" }
  const dueAt = nextDigest(rhythm, wanted.zone, await now())
  const before = await posts.saveDigest(wanted, dueAt)
  if (before && isSame(before, wanted)) return subscribedBefore(before, dueAt)
  const refused = await outbound
    .post({ channel }, subscribed(wanted))
    .then(() => undefined, orSlackError)
  if (!refused) return undefined
  if (before) await posts.saveDigest(before, nextDigest(before.rhythm, before.zone, await now()))
  else await posts.removeDigest(wanted)
  return cannotPostHere(refused, await placeOf(channel), AGAIN)
}

function isSame(one: Digest, other: Digest): boolean {
  const facts = ({ project, zone, rhythm: { every: kind, hour, minute } }: Digest) =>
    JSON.stringify([project, zone, kind, hour, minute])
  return facts(one) === facts(other)
}

/** Ends one digest of a channel, or all of them. Anybody who may use the bot there may do so. */
export async function unsubscribe(
  { posts, outbound }: ChannelDeps,
  place: Place & { user: string },
  kind: Rhythm["every"] | undefined,
): Promise<Message | undefined> {
  const kinds = kind === undefined ? every : [kind]
  const removed = await Promise.all(
    kinds.map((name) => posts.removeDigest({ ...place, rhythm: { every: name } })),
  )
  const ended = removed.filter((one) => one !== undefined)
  if (ended.length === 0) return NO_DIGEST
  const words = unsubscribed(place.user, ended)
  const refused = await outbound
    .post({ channel: place.channel }, words)
    .then(() => undefined, orSlackError)
  return refused && words
}

/** Lists the digests of a channel, each with its next time. */
export async function listDigests({ posts, now }: ChannelDeps, place: Place): Promise<Message> {
  const at = await now()
  const due = (await posts.digests(place)).map((one) => ({
    one,
    dueAt: nextDigest(one.rhythm, one.zone, at),
  }))
  return due.length === 0 ? NO_DIGEST : subscriptionList(due)
}
