import { ApiError } from "./method.ts"

/** Limit of calls: `perMinute` on average and `burst` at once, or in any minute. */
export interface RateRule {
  readonly perMinute: number
  /** Calls at once; without it, `perMinute` is the maximum of any minute. */
  readonly burst?: number
}

/**
 * Slack's tiers: "Tier 3: 50+ per minute". The documents promise nothing above that and no bursts,
 * so no minute allows more. For tier 1, they say that infrequent bursts are tolerated; ten replicas
 * need one to start.
 */
export const tier1: RateRule = { perMinute: 1, burst: 10 }
export const tier3: RateRule = { perMinute: 50 }
export const tier4: RateRule = { perMinute: 100 }

/** Limits of chat.postMessage: about one per second and channel, several hundred a minute. */
export const postsInChannel: RateRule = { perMinute: 60, burst: 5 }
export const postsInWorkspace: RateRule = { perMinute: 300 }

const MINUTE_MS = 60_000

/** Creates Slack's limits on the local Slack's clock, or none. */
export function createRateLimits(enabled: boolean, now: () => number) {
  const buckets = new Map<string, { tokens: number; filledAt: number }>()
  const minutes = new Map<string, number[]>()

  function fromBucket(key: string, perMinute: number, burst: number): void {
    const at = now()
    const bucket = buckets.get(key) ?? { tokens: burst, filledAt: at }
    const perMs = perMinute / MINUTE_MS
    const gained = Math.max(0, at - bucket.filledAt) * perMs
    const tokens = Math.min(burst, bucket.tokens + gained)
    if (tokens < 1) {
      buckets.set(key, { tokens, filledAt: at })
      throw rateLimited(Math.max(1, Math.ceil((1 - tokens) / perMs / 1000)))
    }
    buckets.set(key, { tokens: tokens - 1, filledAt: at })
  }

  function ofTheMinute(key: string, perMinute: number): void {
    const at = now()
    const calls = (minutes.get(key) ?? []).filter((call) => call > at - MINUTE_MS)
    minutes.set(key, calls)
    const [first = at] = calls
    if (calls.length >= perMinute)
      throw rateLimited(Math.max(1, Math.ceil((first + MINUTE_MS - at) / 1000)))
    calls.push(at)
  }

  return {
    /** Counts a call under `key`. @throws ApiError `ratelimited`: 429 with Retry-After in seconds. */
    spend(key: string, { perMinute, burst }: RateRule): void {
      if (!enabled) return
      if (burst === undefined) ofTheMinute(key, perMinute)
      else fromBucket(key, perMinute, burst)
    },
  }
}

/** Returns the error; `retryAfter` is in seconds. */
function rateLimited(retryAfter: number): ApiError {
  const headers = { "retry-after": String(retryAfter) }
  return new ApiError("ratelimited", {}, { status: 429, headers })
}
