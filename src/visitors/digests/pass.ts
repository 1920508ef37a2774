import { DIGESTS } from "../../config/timing.ts"
import { orSlackError, SlackError } from "../../errors/slack-error.ts"
import type { Message } from "../../ports/message.ts"
import type { Outbound, PostKey } from "../../ports/outbound.ts"
import { UNTIL_WOKEN } from "../../runtime/alarm.ts"
import { postKindOf, sendWithFallback } from "../fallback.ts"
import type { FallbackLevel } from "../fallback-level.ts"
import type { DigestGaps, GapsForDigest } from "../gaps/in-digest.ts"
import type { FallbackMemory } from "../ports.ts"
import type { AskVisitors } from "../query.ts"
import type { Missing, Report } from "../report.ts"
import { CHANNEL_GONE, lookForPost } from "../scheduled-posts.ts"
import type { ClaimedDigest, Subscription, Subscriptions } from "./ports.ts"
import { digestRange } from "./rhythm.ts"

/** Tries of one digest, about four hours of them, after which it is left out. */
const MOST_TRIES = 48

/** After so many the digest comes without its gaps, and says so. */
const GAP_TRIES = 12

/** What to write about digests. The views decide the words. */
export interface DigestViews {
  digest(
    report: Report,
    subscription: Subscription,
    level: FallbackLevel,
    gaps: DigestGaps | undefined,
  ): Message
  /** To the subscriber, when the channel does not take the digest any more. */
  ended(subscription: Subscription): Message
  /** To the subscriber, when a digest is given up. */
  skipped(subscription: Subscription, why: Missing): Message
}

export interface DigestPassDeps {
  subscriptions: Subscriptions
  ask: AskVisitors
  fallbackMemory: FallbackMemory
  outbound: Outbound
  gapsFor: GapsForDigest
  views: DigestViews
}

/**
 * One pass over the digests: claims the one that is due longest and posts it. The next moment is
 * counted from the claim and not from the one that was missed, so after days of downtime a digest
 * comes once. Returns how long to rest, ms.
 */
export async function digestPass(deps: DigestPassDeps): Promise<number> {
  const claimed = await deps.subscriptions.claim(DIGESTS.leaseMs)
  if (!claimed) return (await deps.subscriptions.nextDue()) ?? UNTIL_WOKEN
  try {
    if (claimed.unsure) await lookForIt(deps, claimed)
    else await postDigest(deps, claimed)
  } catch (error) {
    if (!(error instanceof SlackError)) await afterUnexpected(deps, claimed)
    throw error
  }
  return 0
}

/** It may have been posted when it went wrong: then it is found before it is posted again. */
async function afterUnexpected(deps: DigestPassDeps, claimed: ClaimedDigest): Promise<void> {
  if (claimed.tries >= MOST_TRIES) return skip(deps, claimed, { fault: "unexpected" })
  await deps.subscriptions.settle(claimed, { againMs: DIGESTS.againMs, unsure: true })
}

async function postDigest(deps: DigestPassDeps, claimed: ClaimedDigest): Promise<void> {
  const { subscription } = claimed
  const range = digestRange(subscription.rhythm.every, claimed.at)
  const { project } = subscription
  const question = { project, range, by: "total", page: 1 } as const
  const answer = await deps.ask.report(question, { kind: "digest" })
  if (answer.kind === "unavailable") return later(deps, claimed, answer.why)
  const gaps = subscription.rhythm.gaps && (await deps.gapsFor(subscription, range))
  if (gaps && "why" in gaps && claimed.tries < GAP_TRIES) return later(deps, claimed, gaps.why)
  if (!(await deps.subscriptions.posting(claimed))) return
  try {
    await post(deps, subscription, answer.report, gaps)
    await dealtWith(deps, claimed)
  } catch (error) {
    if (!(error instanceof SlackError)) throw error
    await afterRefusal(deps, claimed, error)
  }
}

function post(
  { fallbackMemory, outbound, views }: DigestPassDeps,
  subscription: Subscription,
  report: Report,
  gaps: DigestGaps | undefined,
) {
  const { team, channel } = subscription
  return sendWithFallback(
    fallbackMemory,
    { team, kind: postKindOf(channel) },
    (level) => views.digest(report, subscription, level, gaps),
    (message) => outbound.post({ channel }, message, keyOf(subscription)),
  )
}

/** A process died, or no answer came, after a post was begun. While Slack does not say, it is looked for later. */
async function lookForIt(deps: DigestPassDeps, claimed: ClaimedDigest): Promise<void> {
  const { subscription } = claimed
  const found = await lookForPost(deps, subscription.channel, keyOf(subscription))
  if (found === "absent") return postDigest(deps, claimed)
  if (found === "posted" || claimed.tries >= MOST_TRIES) return dealtWith(deps, claimed)
  const againMs = found.retryAfterMs ?? DIGESTS.againMs
  await deps.subscriptions.settle(claimed, { againMs, unsure: true })
}

async function afterRefusal(
  deps: DigestPassDeps,
  claimed: ClaimedDigest,
  error: SlackError,
): Promise<void> {
  const { subscriptions } = deps
  if (CHANNEL_GONE.has(error.code)) {
    await subscriptions.end(claimed)
    return tellSubscriber(deps, claimed.subscription, deps.views.ended(claimed.subscription))
  }
  if (claimed.tries >= MOST_TRIES || error.verdict === "give_up") {
    await dealtWith(deps, claimed)
    throw error
  }
  const unsure = error.verdict === "unknown"
  await subscriptions.settle(claimed, { againMs: error.retryAfterMs ?? DIGESTS.againMs, unsure })
}

/** The numbers cannot be had now: some time later, and one day not at all. */
async function later(deps: DigestPassDeps, claimed: ClaimedDigest, why: Missing): Promise<void> {
  const againMs = Math.max((why.retryAt ?? 0) - claimed.at, DIGESTS.againMs)
  if (claimed.tries >= MOST_TRIES) return skip(deps, claimed, why)
  await deps.subscriptions.settle(claimed, { againMs, unsure: false })
}

async function skip(deps: DigestPassDeps, claimed: ClaimedDigest, why: Missing): Promise<void> {
  await dealtWith(deps, claimed)
  await tellSubscriber(deps, claimed.subscription, deps.views.skipped(claimed.subscription, why))
}

async function dealtWith({ subscriptions }: DigestPassDeps, claimed: ClaimedDigest): Promise<void> {
  const { rhythm, zone, dueAt } = claimed.subscription
  const { nextDigest } = await import("./schedule.ts")
  // A Redis that was replaced by one whose clock is behind must not have it due once more.
  const after = Math.max(claimed.at, dueAt)
  return subscriptions.settle(claimed, { dueAt: nextDigest(rhythm, zone, after) })
}

async function tellSubscriber(
  { outbound }: DigestPassDeps,
  { user }: Subscription,
  message: Message,
): Promise<void> {
  // Somebody who left the workspace cannot be told.
  await outbound.direct(user, message).catch(orSlackError)
}

function keyOf({ channel, rhythm, dueAt }: Subscription): PostKey {
  return { job: `digest:${channel}:${rhythm.every}`, part: String(dueAt) }
}
