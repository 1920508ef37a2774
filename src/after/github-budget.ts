import { randomUUID } from "node:crypto"
import { WINDOW_MS } from "../config/timing.ts"
import { key } from "../store/keys.ts"
import { takeSlots } from "../store/limits.ts"
import type { Store } from "../store/script.ts"

/**
 * A fifth of the 5,000 requests an hour that GitHub allows a token, because people and other
 * programs may use the token too.
 */
const PER_HOUR = { cap: 1000, windowMs: WINDOW_MS }

const pauseKey = (tokenPrint: string) => key("github", tokenPrint, "pause")

/** Returns 0 if the bot may make this many requests with the token, otherwise the wait in ms. */
export async function takeRequests(
  store: Store,
  tokenPrint: string,
  requests: number,
): Promise<number> {
  const pausedMs = await store.redis.pttl(pauseKey(tokenPrint))
  if (pausedMs > 0) return pausedMs
  const slots = Array.from({ length: requests }, () => randomUUID())
  return takeSlots(store, { log: key("github", tokenPrint, "log") }, PER_HOUR, slots)
}

/** Stops all requests for as long as GitHub demands. */
export async function pauseRequests({ redis }: Store, tokenPrint: string, ms: number) {
  await redis.set(pauseKey(tokenPrint), "1", "PX", Math.ceil(ms))
}
