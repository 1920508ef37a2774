import { ApiError } from "./api-error.ts"

/** How often a method may be called: `perMinute` on average, `burst` at once. */
export interface RateRule {
  readonly perMinute: number
  readonly burst: number
}

/**
 * Slack's tiers. The documents promise no burst; a minute's worth at once is what is
 * counted, and for tier 1 what ten replicas need to start. */
export const tier1: RateRule = { perMinute: 1, burst: 10 }
export const tier2: RateRule = { perMinute: 20, burst: 20 }
export const tier3: RateRule = { perMinute: 50, burst: 50 }
export const tier4: RateRule = { perMinute: 100, burst: 100 }

/**
 * chat.postMessage: about one a second in a channel with short bursts, several hundred a minute.
 */
export const postsInChannel: RateRule = { perMinute: 60, burst: 5 }
export const postsInWorkspace: RateRule = { perMinute: 300, burst: 300 }

interface Bucket {
  tokens: number
  filledAt: number
}

export interface RateLimits {
  /**
   * Counts one call under `key`.
   * @throws ApiError `ratelimited`, status 429 with Retry-After in whole seconds.
   */
  spend(key: string, rule: RateRule): void
}

/** Token buckets on the local Slack's clock, or none at all. */
export function createRateLimits(enabled: boolean, now: () => number): RateLimits {
  const buckets = new Map<string, Bucket>()
  return {
    spend(key, rule) {
      if (!enabled) return
      const at = now()
      const bucket = buckets.get(key) ?? { tokens: rule.burst, filledAt: at }
      const perMs = rule.perMinute / 60_000
      const gained = Math.max(0, at - bucket.filledAt) * perMs
      const tokens = Math.min(rule.burst, bucket.tokens + gained)
      if (tokens < 1) {
        buckets.set(key, { tokens, filledAt: at })
        throw rateLimited(Math.max(1, Math.ceil((1 - tokens) / perMs / 1000)))
      }
      buckets.set(key, { tokens: tokens - 1, filledAt: at })
    },
  }
}

/** `retryAfter` in seconds. */
export function rateLimited(retryAfter: number): ApiError {
  const headers = { "retry-after": String(retryAfter) }
  return new ApiError("ratelimited", {}, { status: 429, headers })
}
