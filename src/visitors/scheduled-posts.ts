import { DateTime, IANAZone } from "luxon"
import { z } from "zod"
import type { Context } from "../jobs/context.ts"
import { addDays, dayOf, HOUR_MS, startOf } from "../lib/time.ts"
import { flagField, jsonField, numberField } from "../store/record-fields.ts"
import { createLeasedRecords, type Leased, type RecordChange } from "../store/records.ts"
import { key } from "../store/redis-keys.ts"

export const rhythms = ["daily", "weekly", "monthly"] as const

/** Schedule on the subscriber's clock: weekly means Mondays, monthly the first or the second. */
const rhythm = z.object({
  every: z.enum(rhythms),
  hour: z.number().int().min(0).max(23),
  minute: z.number().int().min(0).max(59),
})
export type Rhythm = z.infer<typeof rhythm>

const digest = rhythm.extend({
  kind: z.literal("digest"),
  project: z.string(),
  user: z.string(),
  zone: z.string().refine((zone) => IANAZone.isValidZone(zone)),
})
export type Digest = z.infer<typeof digest>

/** A channel's alert about people or AI, on the whole site or below a path. */
const watch = z.object({
  kind: z.literal("alert"),
  project: z.string(),
  of: z.enum(["human", "ai"]),
  filter: z.exactOptional(z.string()),
  user: z.string(),
})
export type Watch = z.infer<typeof watch>

export type Watched = Partial<Pick<Watch, "of" | "filter">>

/** A channel's feed of what readers and AI agents write. Holds ids as hashes, and no words. */
const feed = z.object({
  kind: z.literal("feedback"),
  project: z.string(),
  user: z.string(),
  /** Time in ms from which comments are new. */
  since: z.number(),
  /** Comments that the channel has seen, or that were there when the feed began. */
  seen: z.array(z.string()),
})
export type Feed = z.infer<typeof feed>

const subscription = z.discriminatedUnion("kind", [digest, watch, feed])
export type Subscription = z.infer<typeof subscription>
export type SubscriptionKind = Subscription["kind"]

const HALF_DAY_MS = 12 * HOUR_MS
/** Number of seen comments to remember, several times as many as one reading has. */
const MAX_SEEN = 500

export const postSchedule = key("v", "post", "due")

const post = z.object({
  v: z.literal("1"),
  channel: z.string(),
  /** One digest, all of a channel's alerts, or all of its feeds, which share a message. */
  subscriptions: jsonField(z.array(subscription).min(1)),
  /** Time in ms when the next post is due; the schedule may hold the time of a lease instead. */
  due: numberField,
  tries: numberField.default(0),
  /** Set once a worker began to post: after a crash, nobody knows whether it did. */
  begun: z.exactOptional(flagField),
  /** Keys of the comments that the channel has seen once Slack has the post that a worker began. */
  shows: z.exactOptional(jsonField(z.array(z.string()))),
})
export type ScheduledPost = z.infer<typeof post>
export type ClaimedPost = Leased<ScheduledPost>

export function scheduledPosts({ store, events }: Context) {
  const keys = { schedule: postSchedule, recordPrefix: `${key("v", "post")}:` }
  return createLeasedRecords(store, post, keys, events.unreadable)
}

/** Returns the id of the post that carries a subscription. */
export function postId(channel: string, wanted: Subscription): string {
  const start = postIdsOf(channel, wanted.kind)
  return start + (wanted.kind === "digest" ? `${wanted.every}:${wanted.project}` : "all")
}

/** Returns how the ids of a channel's posts begin, also of projects that were removed since. */
export function postIdsOf(channel: string, kind: SubscriptionKind): string {
  return `${kind}:${channel}:`
}

/** Returns the first moment after `after`, in ms, at which there may be something to post. */
export function nextDue(subscription: Subscription, after: number): number {
  switch (subscription.kind) {
    case "digest":
      return nextDigest(subscription, subscription.zone, after)
    case "alert":
      return nextLook(after)
    case "feedback":
      // All channels look at the same moment, so that they share one request for each project.
      return (Math.floor(after / HOUR_MS) + 1) * HOUR_MS
  }
}

/**
 * Returns the first moment after `after` at which a digest is due, in ms. A local time that
 * daylight saving skips moves forward by the gap; if a local time occurs twice, the first one
 * counts. A monthly digest is due on the second if the month is not over in UTC at that time on the
 * first.
 */
export function nextDigest(of: Rhythm, zone: string, after: number): number {
  const { hour, minute } = of
  const start = DateTime.fromMillis(after, { zone }).startOf("day")
  // No two digests are more than 34 days apart.
  for (let days = 0; days <= 34; days++) {
    const at = start.plus({ days }).set({ hour, minute })
    if (at.toMillis() > after && isDueOn(at, of.every)) return at.toMillis()
  }
  throw new RangeError(`No ${of.every} digest was found after ${after} in ${zone}`)
}

function isDueOn(at: DateTime, kind: Rhythm["every"]): boolean {
  if (kind === "daily") return true
  if (kind === "weekly") return at.weekday === 1
  const isFirstOver = at.set({ day: 1 }).toUTC().month === at.month
  return at.day === (isFirstOver ? 1 : 2)
}

/** Returns the next noon in UTC, at which the bot checks the day before. @param after in ms */
export function nextLook(after: number): number {
  // Twelve hours earlier, each noon is a midnight.
  const nextDay = addDays(dayOf(after - HALF_DAY_MS), 1)
  return startOf(nextDay) + HALF_DAY_MS
}

/** Returns a channel's subscriptions after it has seen comments with these keys. */
export function afterShown(all: readonly Subscription[], keys: readonly string[]): Subscription[] {
  const after = (feed: Feed) => ({ ...feed, seen: [...feed.seen, ...keys].slice(-MAX_SEEN) })
  return all.map((one) => (one.kind === "feedback" ? after(one) : one))
}

/** Returns the change that makes a post due at this time in ms, as if it had never been tried. */
export function dueAt(due: number, set: Partial<ScheduledPost> = {}): RecordChange {
  const fresh = { v: "1", due, tries: undefined, begun: undefined, shows: undefined }
  return { set: { ...set, ...fresh }, due: { at: due } }
}
