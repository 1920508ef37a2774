import type { HourlyLimit } from "../ports/github.ts"
import type { GitHubAnswer } from "./exchange.ts"

/** Of a token; "Rate limits are disabled by default for GitHub Enterprise Server", which says none. */
const USUAL_LIMIT = 5000
/** "Otherwise, wait for at least one minute before retrying." ms */
const SECONDARY_MS = 60_000
/** No longer, whatever the clocks say, ms. */
const LONGEST_MS = 2 * 3_600_000

export function rateOf({ headers }: GitHubAnswer): HourlyLimit {
  const limit = Number(headers["x-ratelimit-limit"])
  return { limit: Number.isInteger(limit) && limit > 0 ? limit : USUAL_LIMIT }
}

/**
 * How long nothing should be asked after such an answer, ms; undefined where it is no limit. "If the
 * retry-after response header is present, you should not retry until after that many seconds. If the
 * x-ratelimit-remaining header is 0, … until after the time specified by the x-ratelimit-reset header."
 */
export function pauseOf({ status, headers, data }: GitHubAnswer): number | undefined {
  if (status !== 403 && status !== 429) return undefined
  const bounded = (ms: number) => Math.min(Math.max(ms, 1000), LONGEST_MS)
  const after = Number(headers["retry-after"])
  if (headers["retry-after"] !== undefined && Number.isFinite(after)) return bounded(after * 1000)
  if (headers["x-ratelimit-remaining"] === "0") {
    // The clock that `reset` is on comes with every answer.
    const now = Date.parse(headers.date ?? "")
    const left = Number(headers["x-ratelimit-reset"]) * 1000 - now
    return Number.isFinite(left) ? bounded(left) : SECONDARY_MS
  }
  const isSecondary = /rate limit/i.test(JSON.stringify(data ?? ""))
  return status === 429 || isSecondary ? SECONDARY_MS : undefined
}
