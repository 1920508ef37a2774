/** Keeps what all processes know of a GitHub token: its requests, pauses and refusals. */

import { randomUUID } from "node:crypto"
import { WINDOW_MS } from "../config/timing.ts"
import { takeSlots } from "../store/rate-limit.ts"
import { key } from "../store/redis-keys.ts"
import type { Store } from "../store/script.ts"
import type { PullAnswer } from "./github-client.ts"
import { REFUSED_MS } from "./look-schedule.ts"

/**
 * Hourly limit of counted requests, a fifth of the 5,000 that GitHub allows a token, because people
 * and other programs may use the same token.
 */
const PER_HOUR = { cap: 1000, windowMs: WINDOW_MS }

const pauseKey = (tokenHash: string) => key("github", tokenHash, "pause")
const refusedKey = (tokenHash: string) => key("github", tokenHash, "refused")

/** Pauses all requests with the token if GitHub demands that, because its limits apply to it. */
export async function keepPause({ redis }: Store, tokenHash: string, answer: PullAnswer) {
  if (answer.kind === "later" && answer.pauseMs)
    await redis.set(pauseKey(tokenHash), "1", "PX", Math.ceil(answer.pauseMs))
}

/**
 * Counts requests. Resolves to the ms to wait first; 0 if they may be made now. Those of a person's
 * click wait only for a pause that GitHub demands; past the bot's own limit they go uncounted.
 */
export async function takeRequests(
  store: Store,
  tokenHash: string,
  requests: number,
  by: "poll" | "click" = "poll",
): Promise<number> {
  const pausedMs = await store.redis.pttl(pauseKey(tokenHash))
  if (pausedMs > 0) return pausedMs
  const slots = Array.from({ length: requests }, () => randomUUID())
  const log = key("github", tokenHash, "log")
  const waitMs = await takeSlots(store, { log }, PER_HOUR, slots)
  return by === "click" ? 0 : waitMs
}

/** Lists what GitHub still refused at the last poll, for `/readyz`. */
export function gitHubTroubles({ redis }: Store, tokenHash: string): Promise<string[]> {
  return redis.hvals(refusedKey(tokenHash))
}

/** Stores a refusal until after the next poll, which repeats it as long as GitHub refuses. */
export async function noteRefusal({ redis }: Store, tokenHash: string, of: string, line: string) {
  const at = refusedKey(tokenHash)
  await redis
    .multi()
    .hset(at, of, line)
    .pexpire(at, 2 * REFUSED_MS)
    .exec()
}

export async function endRefusals({ redis }: Store, tokenHash: string, repository: string) {
  await redis.hdel(refusedKey(tokenHash), "token", repository)
}
