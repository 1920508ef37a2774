import { failure, type Reply, retryAfterHeader } from "../kit/reply.ts"
import type { WindowState } from "./rolling-window.ts"
import type { Settings } from "./settings.ts"

/** The 429 of a full window; the document leaves its shape open, so `Retry-After` is a setting. */
export function overLimit(window: WindowState, as: Settings["retryAfter"], now: number): Reply {
  const seconds = Math.ceil(((window.freeAt ?? now) - now) / 1000)
  const headers = as === "none" ? {} : retryAfterHeader(seconds, as, now)
  return failure(429, `Over the limit of ${window.limit} requests`, undefined, headers)
}
