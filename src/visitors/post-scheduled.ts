import { DocsError, orDocsError } from "../docs-service/docs-error.ts"
import type { Gate } from "../jobs/access.ts"
import { defined } from "../lib/defined.ts"
import type { PostKey } from "../slack/find-message.ts"
import type { Message } from "../slack/message.ts"
import { orSlackError, refusalOf, SlackError } from "../slack/slack-error.ts"
import type { Outbound } from "../slack/web-outbound.ts"
import { alertsEnded } from "./alert-message.ts"
import { nextLook } from "./alerts.ts"
import { digestEnded } from "./digest-message.ts"
import { nextDigest } from "./digest-schedule.ts"
import { afterSeen, type Feed, nextFeedLook } from "./feedback-feed.ts"
import { feedbackEnded } from "./feedback-message.ts"
import type { RecordChange } from "./leased-records.ts"
import { type FallbackLevel, sendWithFallback } from "./message-fallback.ts"
import { type AlertDeps, makeAlert } from "./post-alerts.ts"
import { type DigestDeps, makeDigest } from "./post-digest.ts"
import { type FeedDeps, makeFeedback } from "./post-feedback.ts"
import { type ClaimedPost, dueAt, type ScheduledPost } from "./scheduled-posts.ts"

export interface PostDeps extends AlertDeps, DigestDeps, FeedDeps {
  outbound: Pick<Outbound, "find" | "post" | "direct">
  gate: Gate
  admins: readonly string[]
}

/** Lease on a post in ms: enough for a usual reading and the post; a loss is noticed before the post. */
const LEASE_MS = 5 * 60_000
/** Minimum retry delay in ms after the service or Slack failed. */
const AGAIN_MS = 5 * 60_000
/** Maximum tries for one post, over at least four hours, before the bot skips it. */
const MAX_TRIES = 48

/** Pattern for Slack's codes of a channel that no longer accepts any of the bot's posts. */
const CHANNEL_GONE = /^(?:channel_not_found|not_in_channel|is_archived|restricted_action.*)$/

/** Outcome of a try. `begun`: Slack may have the post, so the next try looks for it first. */
type Outcome =
  | { is: "over"; refused?: SlackError; feed?: Feed | undefined }
  | { is: "gone" }
  | { is: "failed"; againMs?: number | undefined; begun?: boolean }

/** Message to post, and the feed as it is while nobody knows whether Slack has the message. */
interface Making {
  message: (level: FallbackLevel) => Message
  feed?: Feed
}

/** Sends the most overdue digest, alerts or feedback. Returns the wait in ms before the next pass. */
export async function scheduledPass(deps: PostDeps): Promise<number> {
  const claimed = await deps.posts.claim(LEASE_MS)
  if (typeof claimed === "number") return claimed
  let outcome: Outcome = { is: "failed", begun: true }
  try {
    outcome = await attempt(deps, claimed)
  } finally {
    await deps.posts.settle(claimed, changeAfter(claimed, outcome))
  }
  if (outcome.is === "gone") await tellEnded(deps, claimed.value)
  if (outcome.is === "over" && outcome.refused) throw outcome.refused
  return 0
}

/** Decides when the post is due again: after the claim, so that downtime leaves only one post. */
function changeAfter({ now, value }: ClaimedPost, outcome: Outcome): RecordChange {
  const { due, tries } = value
  if (outcome.is === "gone") return { due: "never" }
  if (outcome.is === "failed" && tries < MAX_TRIES) {
    const begun = outcome.begun ? "1" : undefined
    const inMs = Math.max(outcome.againMs ?? 0, AGAIN_MS)
    return { set: { tries: tries + 1, begun }, due: { inMs } }
  }
  // The same post must not become due again if a Redis with a slower clock replaced this one.
  const next = nextOf(value, Math.max(now, due))
  return dueAt(next, outcome.is === "over" && outcome.feed ? { feed: outcome.feed } : {})
}

function nextOf({ digest, feed }: ScheduledPost, after: number): number {
  if (digest) return nextDigest(digest.rhythm, digest.zone, after)
  return feed ? nextFeedLook(after) : nextLook(after)
}

async function attempt(deps: PostDeps, claimed: ClaimedPost): Promise<Outcome> {
  const { posts, outbound } = deps
  const { channel, feed, begun } = claimed.value
  if (begun) {
    const found = await outbound.find({ channel }, keyOf(claimed)).catch(orSlackError)
    if (found instanceof SlackError && found.verdict !== "give_up")
      return { is: "failed", againMs: found.retryAfterMs, begun }
    // If the bot cannot read the channel, a post missed once is better than one posted twice.
    if (found !== "absent") return { is: "over", feed: feed && posted(feed) }
  }
  if (feed && !(await maySee(deps, channel, feed))) return { is: "gone" }
  const making = await make(deps, claimed).catch(orDocsError)
  if (making instanceof DocsError) {
    // A project that was removed gets no post, until it is back or somebody unsubscribes.
    if (making.fault === "not_configured") return { is: "over" }
    return { is: "failed", againMs: making.retryAfterMs }
  }
  // Stores that the work began: a crash leaves its end unknown.
  const begin = { set: { begun: "1", ...defined({ feed: making?.feed }) } }
  if (!making || !(await posts.settle(claimed, begin))) return { is: "over" }
  const post = (words: Message) => outbound.post({ channel }, words, keyOf(claimed))
  const refused = await refusalOf(sendWithFallback(making.message, post))
  if (!refused) return { is: "over", feed: making.feed && posted(making.feed) }
  if (CHANNEL_GONE.test(refused.code)) return { is: "gone" }
  if (refused.verdict === "give_up") return { is: "over", refused }
  return { is: "failed", againMs: refused.retryAfterMs, begun: refused.verdict === "unknown" }
}

/** Returns whether the admin who turned a feed on may still see readers' words in its channel. */
async function maySee({ gate, admins }: PostDeps, channel: string, { user }: Feed) {
  return admins.includes(user) && "profile" in (await gate({ user, channel }))
}

function posted(feed: Feed): Feed {
  return afterSeen(feed, feed.posting ?? [])
}

async function make(deps: PostDeps, claimed: ClaimedPost): Promise<Making | undefined> {
  const { now, value } = claimed
  const { channel, digest, feed, due, tries } = value
  if (digest) return { message: await makeDigest(deps, digest, { due, now }) }
  if (!feed) {
    const message = await makeAlert(deps, claimed, tries < MAX_TRIES)
    return message && { message }
  }
  const made = await makeFeedback(deps, channel, feed)
  return made && { message: made.message, feed: { ...feed, posting: made.keys } }
}

/** Tells those who set up what has ended. Those who have left the workspace cannot be told. */
async function tellEnded(
  { outbound }: PostDeps,
  { channel, digest, feed, watches }: ScheduledPost,
): Promise<void> {
  const ofFeed = feed && { words: feedbackEnded(channel), by: [feed] }
  const ofDigest = digest && { words: digestEnded(digest), by: [digest] }
  const { words, by } = ofFeed ?? ofDigest ?? { words: alertsEnded(channel), by: watches }
  const users = new Set(by.map(({ user }) => user))
  for (const user of users) await outbound.direct(user, words).catch(orSlackError)
}

/** Returns a key that depends on the post alone, so that a retry in any process finds it. */
function keyOf({ id, value }: ClaimedPost): PostKey {
  return { job: id, part: String(value.due) }
}
