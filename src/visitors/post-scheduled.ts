import { DocsError, orDocsError } from "../docs-service/docs-error.ts"
import { isKeyFault } from "../jobs/pause-reasons.ts"
import { defined } from "../lib/defined.ts"
import type { PostKey } from "../slack/find-message.ts"
import type { Message } from "../slack/message.ts"
import { orSlackError, refusalOf, SlackError } from "../slack/slack-error.ts"
import { alertMessage, alertsEnded } from "./alert-message.ts"
import { dayToCheck, isSame, nextLook, unusualDays } from "./alerts.ts"
import type { VisitorsDeps } from "./deps.ts"
import { digestEnded, digestMessage } from "./digest-message.ts"
import { type Digest, digestRange, lastDue, nextDigest } from "./digest-schedule.ts"
import type { RecordChange } from "./leased-records.ts"
import { type FallbackLevel, sendWithFallback } from "./message-fallback.ts"
import type { Range } from "./range.ts"
import { readReport } from "./report.ts"
import { type ClaimedPost, dueAt, type ScheduledPost } from "./scheduled-posts.ts"

/** Lease on a post in ms: enough for a usual reading and the post. `begin` notices its loss. */
const LEASE_MS = 5 * 60_000
/** Minimum retry delay in ms after the service or Slack failed. */
const AGAIN_MS = 5 * 60_000
/** Maximum tries for one post, over at least four hours, before the bot skips it. */
const MAX_TRIES = 48

/** Pattern for Slack's codes of a channel that no longer accepts any of the bot's posts. */
const CHANNEL_GONE = /^(?:channel_not_found|not_in_channel|is_archived|restricted_action.*)$/

/** Outcome of a try. `begun`: Slack may have the post, so the next try looks for it first. */
type Outcome =
  | { is: "over"; refused?: SlackError }
  | { is: "gone" }
  | { is: "failed"; againMs?: number | undefined; begun?: boolean }

export interface PostDeps extends VisitorsDeps {
  /** Says in two lines what came of a project's requests in a period, for the weekly digest. */
  outcomeLines: (project: string, range: Range) => Promise<string[]>
}

/** Sends the most overdue digest or alerts. Returns the wait in ms before the next pass. */
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
  const { digest, due, tries } = value
  if (outcome.is === "gone") return { due: "never" }
  if (outcome.is === "failed" && tries < MAX_TRIES) {
    const begun = outcome.begun ? "1" : undefined
    const inMs = Math.max(outcome.againMs ?? 0, AGAIN_MS)
    return { set: { tries: tries + 1, begun }, due: { inMs } }
  }
  // The same post must not become due again if a Redis with a slower clock replaced this one.
  const after = Math.max(now, due)
  return dueAt(digest ? nextDigest(digest.rhythm, digest.zone, after) : nextLook(after))
}

async function attempt(deps: PostDeps, claimed: ClaimedPost): Promise<Outcome> {
  const { posts, outbound } = deps
  const { channel, digest, begun } = claimed.value
  if (begun) {
    const found = await outbound.find({ channel }, keyOf(claimed)).catch(orSlackError)
    if (found instanceof SlackError && found.verdict !== "give_up")
      return { is: "failed", againMs: found.retryAfterMs, begun }
    // If the bot cannot read the channel, a post missed once is better than one posted twice.
    if (found !== "absent") return { is: "over" }
  }
  const making = digest ? makeDigest(deps, digest, claimed) : makeAlert(deps, claimed)
  const message = await making.catch(orDocsError)
  if (message instanceof DocsError) {
    // A project that was removed gets no post, until it is back or somebody unsubscribes.
    if (message.fault === "not_configured") return { is: "over" }
    return { is: "failed", againMs: message.retryAfterMs }
  }
  if (!message || !(await posts.begin(claimed))) return { is: "over" }
  const post = (words: Message) => outbound.post({ channel }, words, keyOf(claimed))
  const refused = await refusalOf(sendWithFallback(message, post))
  if (!refused) return { is: "over" }
  if (CHANNEL_GONE.test(refused.code)) return { is: "gone" }
  if (refused.verdict === "give_up") return { is: "over", refused }
  return { is: "failed", againMs: refused.retryAfterMs, begun: refused.verdict === "unknown" }
}

/** Tells those who set up a channel's digest or alerts. Those who have left the workspace cannot be told. */
async function tellEnded({ outbound }: VisitorsDeps, { channel, digest, watches }: ScheduledPost) {
  const words = digest ? digestEnded(digest) : alertsEnded(channel)
  const users = new Set(digest ? [digest.user] : watches.map(({ user }) => user))
  for (const user of users) await outbound.direct(user, words).catch(orSlackError)
}

async function makeDigest(deps: PostDeps, digest: Digest, { now, value }: ClaimedPost) {
  const { project, rhythm, zone } = digest
  const range = digestRange(rhythm.every, lastDue(rhythm, zone, value.due, now))
  const selection = { project, range, page: 1 }
  const report = await readReport(deps, selection, undefined)
  const outcomes = rhythm.every === "weekly" ? await deps.outcomeLines(project, range) : []
  return (level: FallbackLevel) => digestMessage(report, level, outcomes)
}

async function makeAlert(
  { readings, posts, shown, nameOf }: VisitorsDeps,
  { id, value: { channel, watches, tries }, now }: ClaimedPost,
) {
  const day = dayToCheck(now)
  if (day === undefined) return undefined
  const { odd, failed } = await unusualDays(readings, watches, day)
  // Waits for the service, or for somebody to mend a key; in the end, posts what the others show.
  // Only a person ends the refusal of a key, so it holds back no other project's alert.
  // A project that was removed is passed over, until it is back or somebody turns its alert off.
  const passing = failed
    .filter(({ fault }) => fault !== "not_configured")
    .find(({ fault }) => odd.length === 0 || !isKeyFault(fault))
  if (passing && tries < MAX_TRIES) throw passing
  // Somebody may have turned some of them off during the reading, which can take minutes.
  const { watches: on = [] } = (await posts.find(id)) ?? {}
  const wanted = odd.filter(({ watch }) => on.some((one) => isSame(one, watch)))
  const lines = wanted.map(async (one) => {
    const { project, filter } = one.watch
    const range = { from: one.day, to: one.day }
    const selection = { project, range, page: 1, ...defined({ filter }) }
    const report = await shown.save({ channel }, selection)
    return { ...one, project: nameOf(project), report }
  })
  const [first, ...more] = await Promise.all(lines)
  return first && (() => alertMessage([first, ...more]))
}

/** Returns a key that depends on the post alone, so that a retry in any process finds it. */
function keyOf({ id, value }: ClaimedPost): PostKey {
  return { job: id, part: String(value.due) }
}
