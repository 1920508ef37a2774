import { DocsError, orDocsError } from "../errors/docs-error.ts"
import { orSlackError, SlackError } from "../errors/slack-error.ts"
import type { Message } from "../messages/blocks.ts"
import { alertMessage } from "../messages/visitors/alerts.ts"
import { digestEnded, digestMessage } from "../messages/visitors/digest.ts"
import { UNTIL_WOKEN } from "../runtime/alarm.ts"
import type { PostKey } from "../slack/find.ts"
import { nextLook, oddDays, type Watch } from "./alerts.ts"
import { type Digest, digestRanges, nextDigest } from "./digest.ts"
import { type FallbackLevel, postKindOf, type SendWithFallback } from "./fallback.ts"
import type { Readings } from "./readings.ts"
import { type AskVisitors, type Missing, missingOf } from "./report.ts"
import type { ChannelDeps, ClaimedPost } from "./scheduled-posts.ts"
import type { Shown } from "./shown.ts"

/** The lease of one post, ms: enough for the slowest reading and the post. */
const LEASE_MS = 5 * 60_000
/** The wait before another try after the service or Slack failed, ms. */
const AGAIN_MS = 5 * 60_000
/** The tries for one post, about four hours, after which the bot skips it. */
const MOST_TRIES = 48

/** The codes of a channel that accepts none of the bot's posts any more. */
const CHANNEL_GONE = new Set([
  "channel_not_found",
  "not_in_channel",
  "is_archived",
  "restricted_action",
  "restricted_action_read_only_channel",
  "restricted_action_thread_only_channel",
  "restricted_action_non_threadable_channel",
])

interface ScheduledPassDeps extends ChannelDeps {
  ask: AskVisitors
  readings: Readings
  shown: Shown
  sendWithFallback: SendWithFallback
}

/** A post, the reason why the bot cannot make it now, or `nothing` if there is no news. */
type Made = { message: (level: FallbackLevel) => Message } | { why: Missing } | "nothing"

/**
 * Claims the most overdue digest or alerts, makes the post and sends it. Computes the next time
 * from the claim and not from the missed one, so that after days of downtime a channel gets one
 * post. Returns the wait until the next pass, ms.
 */
export async function scheduledPass(deps: ScheduledPassDeps): Promise<number> {
  const claimed = await deps.posts.claim(LEASE_MS)
  if (!claimed) return UNTIL_WOKEN
  try {
    await deal(deps, claimed)
  } catch (error) {
    if (claimed.record.tries >= MOST_TRIES) await done(deps, claimed)
    // Slack may have the post despite the error, so the next try looks for it first.
    else await deps.posts.again(claimed, AGAIN_MS, true)
    throw error
  }
  return 0
}

async function deal(deps: ScheduledPassDeps, claimed: ClaimedPost): Promise<void> {
  const { posts, outbound } = deps
  const { channel, digest, watches } = claimed.record
  if (claimed.record.begun) {
    const found = await outbound.find({ channel }, keyOf(claimed)).catch(orSlackError)
    const isUnclear = found instanceof SlackError && found.verdict !== "give_up"
    if (isUnclear && claimed.record.tries < MOST_TRIES)
      return posts.again(claimed, found.retryAfterMs ?? AGAIN_MS, true)
    // If the bot cannot read the channel, the post counts as made: better missed once than posted
    // twice.
    if (found !== "absent") return done(deps, claimed)
  }
  const made = digest
    ? await makeDigest(deps, digest, claimed.at)
    : await makeAlert(deps, claimed, watches)
  if (made === "nothing") return done(deps, claimed)
  if (!("why" in made)) {
    if (await posts.begin(claimed)) await post(deps, claimed, made.message)
  } else if (claimed.record.tries >= MOST_TRIES) await done(deps, claimed)
  else await posts.again(claimed, Math.max((made.why.retryAt ?? 0) - claimed.at, AGAIN_MS))
}

async function makeDigest({ ask }: ScheduledPassDeps, digest: Digest, at: number): Promise<Made> {
  const { range, before } = digestRanges(digest.rhythm.every, at)
  const question = { project: digest.project, range, page: 1 }
  const answer = await ask.report(question, undefined, before)
  if ("missing" in answer) return { why: answer.missing }
  return { message: (level) => digestMessage(answer.report, digest, level) }
}

async function makeAlert(
  { readings, shown, nameOf }: ScheduledPassDeps,
  { record: { channel }, at }: ClaimedPost,
  watches: readonly Watch[],
): Promise<Made> {
  const odd = await oddDays(readings, watches, at).catch(orDocsError)
  if (odd instanceof DocsError) return { why: missingOf(odd, at) }
  if (odd.length === 0) return "nothing"
  const lines = await Promise.all(
    odd.map(async (one) => {
      const { project, filter } = one.watch
      const range = { from: one.day, to: one.day }
      const question = { project, range, page: 1, ...(filter === undefined ? {} : { filter }) }
      return {
        ...one,
        project: nameOf(project),
        report: await shown.save({ channel }, { question, view: "report" }),
      }
    }),
  )
  return { message: () => alertMessage(lines) }
}

async function post(
  deps: ScheduledPassDeps,
  claimed: ClaimedPost,
  message: (level: FallbackLevel) => Message,
): Promise<void> {
  const { posts, outbound, sendWithFallback } = deps
  const { team, channel, digest } = claimed.record
  const refused = await sendWithFallback({ team, kind: postKindOf(channel) }, message, (words) =>
    outbound.post({ channel }, words, keyOf(claimed)),
  ).then(() => undefined, orSlackError)
  if (!refused) return done(deps, claimed)
  if (CHANNEL_GONE.has(refused.code)) {
    await posts.end(claimed)
    // The bot cannot tell a person who left the workspace.
    if (digest) await outbound.direct(digest.user, digestEnded(digest)).catch(orSlackError)
  } else if (refused.verdict === "give_up") {
    await done(deps, claimed)
    throw refused
  } else {
    const begun = refused.verdict === "unknown"
    await posts.again(claimed, refused.retryAfterMs ?? AGAIN_MS, begun)
  }
}

async function done({ posts }: ScheduledPassDeps, claimed: ClaimedPost): Promise<void> {
  const { digest, due } = claimed.record
  // If another Redis with a slower clock replaced this one, the same post must not become due
  // again.
  const after = Math.max(claimed.at, due)
  const next = digest ? nextDigest(digest.rhythm, digest.zone, after) : nextLook(after)
  await posts.done(claimed, next)
}

/** Returns a key that depends on the post alone, so a retry in any process gets the same one. */
function keyOf({ id, record }: ClaimedPost): PostKey {
  return { job: id, part: String(record.due) }
}
