import { z } from "zod"
import { createLeasedRecords, type Leased, type RecordChange } from "../store/leased-records.ts"
import { flagField, jsonField, numberField } from "../store/record-fields.ts"
import type { OnBroken } from "../store/records.ts"
import { key } from "../store/redis-keys.ts"
import type { Store } from "../store/script.ts"
import { nextLook, watch } from "./alerts.ts"
import { digest, nextDigest } from "./digest.ts"
import { afterSeen, feed, nextFeedLook } from "./feedback-feed.ts"

/** Something that somebody turned on in a channel. */
const subscription = z.discriminatedUnion("kind", [digest, watch, feed])
export type Subscription = z.infer<typeof subscription>
export type SubscriptionKind = Subscription["kind"]

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
export type ScheduledPosts = ReturnType<typeof createScheduledPosts>
export type ClaimedPost = Leased<ScheduledPost>

export function createScheduledPosts(store: Store, onBroken: OnBroken) {
  const schedule = key("v", "post", "due")
  const recordPrefix = `${key("v", "post")}:`
  return createLeasedRecords(store, post, { schedule, recordPrefix }, onBroken)
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
      return nextFeedLook(after)
  }
}

/** Returns a channel's subscriptions after it has seen comments with these keys. */
export function afterShown(all: readonly Subscription[], keys: readonly string[]): Subscription[] {
  return all.map((one) => (one.kind === "feedback" ? afterSeen(one, keys) : one))
}

/** Returns the change that makes a post due at this time in ms, as if it had never been tried. */
export function dueAt(due: number, set: Partial<ScheduledPost> = {}): RecordChange {
  const fresh = { v: "1", due, tries: undefined, begun: undefined, shows: undefined }
  return { set: { ...set, ...fresh }, due: { at: due } }
}
