import Bottleneck from "bottleneck"
import { READING_PAUSE_MS } from "../config/timing.ts"
import { DocsError } from "../errors/docs-error.ts"
import type { AnalyticsHour, LimitAnalytics, Slot } from "../visitors/reading-ports.ts"

/** Requests in flight per process and project; a page of the export is a heavy question. */
export const MAX_CONCURRENT = 4
/** Before the one repetition of a request that failed, ms. */
const REPEAT_MS = 300

/**
 * Runs analytics requests inside the rolling hour. Bottleneck runs them: order, concurrency and the
 * one repetition, which is safe as reading changes nothing. The slot in the hour is taken inside the
 * limiter's job, right before the request. Without a free slot nothing waits: the call fails as
 * `rate_limited` with the time until there is one, exactly like a refusal of the service.
 * @param timeoutMs the longest time a request may be on its way
 */
export function limitAnalytics(
  hour: AnalyticsHour,
  { timeoutMs }: { timeoutMs: number },
): LimitAnalytics {
  const limiters = new Map<string, Bottleneck>()

  function limiterOf(project: string): Bottleneck {
    const known = limiters.get(project)
    if (known) return known
    const limiter = new Bottleneck({ maxConcurrent: MAX_CONCURRENT })
    limiter.on("failed", (error: unknown, { retryCount }) =>
      retryCount === 0 && isWorthRepeating(error) ? REPEAT_MS : undefined,
    )
    limiters.set(project, limiter)
    return limiter
  }

  return (reader, project, request) =>
    limiterOf(project).schedule(async () => {
      const taken = await hour.take(project, reader, timeoutMs)
      if ("waitMs" in taken) throw hourIsUsed(taken)
      try {
        const answer = await request()
        await hour.settle(project, taken.slot)
        return answer
      } catch (error) {
        await settleFailure(hour, project, taken.slot, error)
        throw error
      }
    })
}

/** What a request that failed means for its slot in the hour. */
export async function settleFailure(
  hour: AnalyticsHour,
  project: string,
  slot: Slot,
  error: unknown,
): Promise<void> {
  if (!(error instanceof DocsError)) return
  if (error.fault === "unreachable") return hour.giveBack(project, slot)
  // An interrupted request may still be on its way: its slot stays stamped ahead.
  if (error.fault !== "interrupted") await hour.settle(project, slot)
  if (error.fault === "rate_limited")
    await hour.pause(project, error.retryAfterMs ?? READING_PAUSE_MS)
}

function isWorthRepeating(error: unknown): boolean {
  return error instanceof DocsError && error.retryable && error.fault !== "rate_limited"
}

export function hourIsUsed({ waitMs, ownShare }: { waitMs: number; ownShare: boolean }): DocsError {
  return new DocsError({
    operation: "analytics",
    fault: "rate_limited",
    retryAfterMs: Math.max(0, waitMs),
    ownShare,
    detail: "the hour's analytics requests are used up; ask again later",
  })
}
