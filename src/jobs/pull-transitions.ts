/** Changes after the link, which leave a job's state as it is: pull request and review. */

import type { Change } from "./change.ts"
import type { Job, Pull } from "./job.ts"

/** Applies GitHub's answer. Whether people see a difference is decided when the card is drawn. */
export function pullSeen(pull: Pull): Change {
  return { set: { pull }, due: { outbox: 0, reminders: 0 } }
}

export function reminded({ pull }: Job, now: number): Change | undefined {
  return pull && { set: { pull: { ...pull, remindedAt: now } } }
}

/** Maximum number of posts about reviews whose button is still to be taken away. */
const MAX_POSTS = 10

/**
 * Records that the review was posted, unless somebody has addressed it in the meantime.
 * @param post its timestamp and whom it mentions; absent if nobody was told in the thread
 */
export function reviewPosted(
  { pull }: Job,
  post?: Pick<NonNullable<Pull["reviewPosts"]>[number], "ts" | "users">,
): Change {
  const { review } = pull ?? {}
  if (!pull || review?.state !== "due") return { set: { posting: undefined } }
  const { by, words, reviewPosts = [] } = pull
  const posts = post ? [...reviewPosts, { ...post, by, words }] : reviewPosts
  const next: Pull = {
    ...pull,
    review: { ...review, state: "posted" },
    reviewPosts: posts.slice(-MAX_POSTS),
  }
  return { set: { pull: next, posting: undefined }, due: { outbox: 0 } }
}

/** Records that a post about a review has no button any more. */
export function reviewPostSettled({ pull }: Job, ts: string): Change {
  const reviewPosts = pull?.reviewPosts?.filter((post) => post.ts !== ts)
  return { set: { pull: pull && { ...pull, reviewPosts } } }
}

/** Records that people were told how the pull request ended. */
export function endPosted({ pull }: Job, end: Pull["endTold"]): Change {
  return { set: { pull: pull && { ...pull, endTold: end }, posting: undefined } }
}

/** Records that reviews became a follow-up, the request `ask`. @param ids of all quoted in it */
export function reviewAddressed(
  { pull }: Job,
  ask: string,
  ids: readonly string[],
): Change | undefined {
  if (!pull?.review) return undefined
  const review = { ...pull.review, state: "addressed" as const }
  const addressed = [...(pull.addressed ?? []), ...ids.map((review) => ({ review, ask }))]
  return { set: { pull: { ...pull, review, addressed } }, due: { outbox: 0 } }
}
