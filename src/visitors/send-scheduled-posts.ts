import { checkAccess } from "../asking/access-rules.ts"
import { DocsError, orDocsError } from "../docs-service/docs-error.ts"
import type { Context } from "../jobs/context.ts"
import { HOUR_MS } from "../lib/time.ts"
import { joinNames } from "../messages/mrkdwn.ts"
import { type Forms, inRichestForm } from "../slack/message-fallback.ts"
import { CHANNEL_GONE, orSlackError, refusalOf, SlackError } from "../slack/slack-error.ts"
import type { PostKey } from "../slack/write-to-slack.ts"
import type { RecordChange } from "../store/records.ts"
import { makeAlert } from "./alerts.ts"
import { makeDigest } from "./digest.ts"
import { makeFeedback } from "./feedback-feed.ts"
import type { VisitorsContext } from "./read-visitors.ts"
import {
  afterShown,
  type ClaimedPost,
  dueAt,
  type Feed,
  nextDue,
  type ScheduledPost,
  type Subscription,
  scheduledPosts,
} from "./scheduled-posts.ts"
import { subscriptionEnded, subscriptionNames } from "./subscription-notices.ts"

/** Lease on a post in ms: enough for a usual reading and the post; a loss is noticed before the post. */
const LEASE_MS = 5 * 60_000
/** Minimum retry delay in ms after the service or Slack failed. */
const AGAIN_MS = 5 * 60_000
/**
 * Time in ms for which a feed that has posted rests. Feeds post at full hours, so at most once in
 * each hour of the clock; a post that trouble delayed to 13:55 is followed at 15:00, not at 14:00.
 * A whole hour would skip every second one, because a usual post comes seconds late, within a lease.
 */
const FEED_APART_MS = HOUR_MS - LEASE_MS
/** Maximum tries for one post, over at least four hours, before the bot skips it. */
const MAX_TRIES = 48

/**
 * Outcome of a try. `begun`: Slack may have the post, so the next try looks for it first; absent: if
 * the record says so.
 */
type Outcome =
  | { is: "over"; refused?: SlackError; shows?: readonly string[] | undefined }
  | { is: "gone"; ended: readonly Subscription[] }
  | { is: "failed"; againMs?: number | undefined; begun?: boolean }

/** Message to post, and the keys of the comments in it that the channel then has seen. */
interface Making {
  message: Forms
  shows?: readonly string[]
}

/** Sends the most overdue digest, alerts or feedback. Returns the wait in ms before the next pass. */
export async function scheduledPass(visitors: VisitorsContext): Promise<number> {
  const posts = scheduledPosts(visitors.context)
  const claimed = await posts.claim(LEASE_MS)
  if (typeof claimed === "number") return claimed
  let outcome: Outcome = { is: "failed" }
  try {
    outcome = await attempt(visitors, claimed)
  } finally {
    await posts.write(claimed, (latest, now) => changeAfter(claimed, outcome, latest, now))
  }
  if (outcome.is === "gone") await tellEnded(visitors.context, claimed.value.channel, outcome.ended)
  if (outcome.is === "over" && outcome.refused) throw outcome.refused
  return 0
}

/** Decides when the post is due again: after the claim, so that downtime leaves only one post. */
function changeAfter(
  { now: claimedAt, value: { due, tries } }: ClaimedPost,
  outcome: Outcome,
  { subscriptions, begun }: ScheduledPost,
  now: number,
): RecordChange {
  if (outcome.is === "gone") {
    const ended = new Set(outcome.ended.map(({ project }) => project))
    const left = subscriptions.filter(({ project }) => !ended.has(project))
    return left.length === 0 ? { due: "never" } : dueAt(due, { subscriptions: left })
  }
  if (outcome.is === "failed" && tries < MAX_TRIES) {
    const mayBeThere = outcome.begun ?? begun
    const inMs = Math.max(outcome.againMs ?? 0, AGAIN_MS)
    return { set: { tries: tries + 1, begun: mayBeThere ? "1" : undefined }, due: { inMs } }
  }
  const shows = outcome.is === "over" && outcome.shows
  // The same post must not become due again if a Redis with a slower clock replaced this one.
  const after = Math.max(claimedAt, due, shows ? now + FEED_APART_MS : 0)
  const next = Math.min(...subscriptions.map((one) => nextDue(one, after)))
  return dueAt(next, shows ? { subscriptions: afterShown(subscriptions, shows) } : {})
}

async function attempt(visitors: VisitorsContext, claimed: ClaimedPost): Promise<Outcome> {
  const { context } = visitors
  const { outbound } = context.slack
  const { channel, subscriptions, begun, shows } = claimed.value
  if (begun) {
    const found = await outbound.find({ channel }, keyOf(claimed)).catch(orSlackError)
    if (found instanceof SlackError && found.verdict !== "give_up")
      return { is: "failed", againMs: found.retryAfterMs }
    // If the bot cannot read the channel, a post missed once is better than one posted twice.
    if (found !== "absent") return { is: "over", shows }
  }
  const unseen = await feedsToEnd(context, channel, feedsIn(subscriptions)).catch(orSlackError)
  if (unseen instanceof SlackError) return { is: "failed", againMs: unseen.retryAfterMs }
  if (unseen.length > 0) return { is: "gone", ended: unseen }
  const making = await make(visitors, claimed).catch(orDocsError)
  if (making instanceof DocsError) {
    // A project that was removed gets no post, until it is back or somebody unsubscribes.
    if (making.fault === "not_configured") return { is: "over" }
    return { is: "failed", againMs: making.retryAfterMs, begun: false }
  }
  // Stores that the work began: a crash leaves its end unknown.
  const begin = { set: { begun: "1", shows: making?.shows } }
  if (!making || (await scheduledPosts(context).write(claimed, begin)) !== "done")
    return { is: "over" }
  const richest = inRichestForm(context.store.redis, outbound)
  const refused = await refusalOf(richest.post({ channel }, making.message, keyOf(claimed)))
  if (!refused) return { is: "over", shows: making.shows }
  if (CHANNEL_GONE.test(refused.code)) return { is: "gone", ended: subscriptions }
  if (refused.verdict === "give_up") return { is: "over", refused }
  return { is: "failed", againMs: refused.retryAfterMs, begun: refused.verdict === "unknown" }
}

function feedsIn(subscriptions: readonly Subscription[]): Feed[] {
  return subscriptions.filter((one) => one.kind === "feedback")
}

/** Returns the feeds whose admin may no longer see readers' words in the channel. */
async function feedsToEnd(context: Context, channel: string, feeds: readonly Feed[]) {
  const { admins } = context.settings.access
  const mayAsk = async (user: string) =>
    "profile" in (await checkAccess(context, { user, channel }))
  const ended: Feed[] = []
  for (const feed of feeds)
    if (!admins.includes(feed.user) || !(await mayAsk(feed.user))) ended.push(feed)
  return ended
}

/** Makes what is due; undefined if nothing is to be said. @throws DocsError */
async function make(
  visitors: VisitorsContext,
  { now, value }: ClaimedPost,
): Promise<Making | undefined> {
  const { channel, subscriptions, due, tries } = value
  const digest = subscriptions.find((one) => one.kind === "digest")
  if (digest) return { message: await makeDigest(visitors, digest, { due, now }) }
  const feeds = feedsIn(subscriptions)
  if (feeds.length > 0) return makeFeedback(visitors, channel, feeds, now)
  const watches = subscriptions.filter((one) => one.kind === "alert")
  const mayWait = tries < MAX_TRIES
  const alert = await makeAlert(visitors, channel, watches, { now, mayWait })
  return alert && { message: () => alert }
}

/** Tells those who set up what has ended. Those who have left the workspace cannot be told. */
async function tellEnded(
  { slack, settings }: Context,
  channel: string,
  subscriptions: readonly Subscription[],
): Promise<void> {
  const names = subscriptionNames(subscriptions, settings.projects.labelOf)
  const isFeed = feedsIn(subscriptions).length > 0
  const cannot = "I can't post there anymore"
  const why = isFeed ? `${cannot}, or you're no longer an admin who may ask there` : cannot
  for (const user of new Set(subscriptions.map((one) => one.user)))
    await slack.outbound
      .direct(user, subscriptionEnded(joinNames(names), channel, why))
      .catch(orSlackError)
}

/** Returns a key that depends on the post alone, so that a retry in any process finds it. */
function keyOf({ id, value }: ClaimedPost): PostKey {
  return { job: id, part: String(value.due) }
}
