import { type Answer, boundedRetry } from "../runtime/http-client.ts"

/** "Otherwise, wait for at least one minute before retrying." ms */
const SECONDARY_MS = 60_000

/**
 * Returns the wait that such an answer demands, ms; undefined when it is not a limit. "If the
 * retry-after response header is present, you should not retry until after that many seconds. If the
 * x-ratelimit-remaining header is 0, … until after the time specified by the x-ratelimit-reset header."
 */
export function pauseOf({ status, headers, body }: Answer): number | undefined {
  if (status !== 403 && status !== 429) return undefined
  const seconds = Number(headers.get("retry-after") ?? Number.NaN)
  if (Number.isFinite(seconds)) return boundedRetry(seconds * 1000)
  if (headers.get("x-ratelimit-remaining") === "0") {
    // `reset` is by GitHub's clock, which every answer contains as `date`.
    const left =
      Number(headers.get("x-ratelimit-reset")) * 1000 - Date.parse(headers.get("date") ?? "")
    return Number.isFinite(left) ? boundedRetry(left) : SECONDARY_MS
  }
  const isSecondary = /rate limit/i.test(body.toString("utf8"))
  return status === 429 || isSecondary ? SECONDARY_MS : undefined
}
