import { z } from "zod"
import { flagField, jsonField, numberField } from "../store/record-fields.ts"
import type { OnBroken } from "../store/records.ts"
import { key } from "../store/redis-keys.ts"
import type { Store } from "../store/script.ts"
import { watch } from "./alerts.ts"
import { digest } from "./digest.ts"
import { feed } from "./feedback-feed.ts"
import { createLeasedRecords, type Leased, type RecordChange } from "./leased-records.ts"

/** A channel's digest, its feed of feedback, or all of its alerts. */
const post = z.object({
  v: z.literal("1"),
  channel: z.string(),
  digest: z.exactOptional(jsonField(digest)),
  feed: z.exactOptional(jsonField(feed)),
  watches: jsonField(z.array(watch)).default([]),
  /** Time in ms when the next post is due; the schedule may hold the time of a lease instead. */
  due: numberField,
  tries: numberField.default(0),
  /** Set once a worker began to post: after a crash, nobody knows whether it did. */
  begun: z.exactOptional(flagField),
})
export type ScheduledPost = z.infer<typeof post>
export type ScheduledPosts = ReturnType<typeof createScheduledPosts>
export type ClaimedPost = Leased<ScheduledPost>

export function createScheduledPosts(store: Store, onBroken: OnBroken) {
  const schedule = key("v", "post", "due")
  const recordPrefix = `${key("v", "post")}:`
  return createLeasedRecords(store, post, { schedule, recordPrefix }, onBroken)
}

/** Returns the change that makes a post due at this time in ms, as if it had never been tried. */
export function dueAt(due: number, set: Partial<ScheduledPost> = {}): RecordChange {
  const fresh = { v: "1", due, tries: undefined, begun: undefined }
  return { set: { ...set, ...fresh }, due: { at: due } }
}
