import Bottleneck from "bottleneck"
import { READING_PAUSE_MS } from "../config/timing.ts"
import { DocsError } from "../errors/docs-error.ts"
import type { AnalyticsHour } from "../visitors/hour.ts"

/** Requests in flight per process and project; a page of the export is a heavy question. */
const MAX_CONCURRENT = 4
/** Before the one repetition of a request that failed, ms. */
const REPEAT_MS = 300

/**
 * Runs analytics requests inside the rolling hour. Bottleneck runs them: order, concurrency and the
 * one repetition, which is safe because reading changes nothing. The slot in the hour is taken inside the
 * limiter's job, right before the request. Without a free slot nothing waits: the call fails as
 * `rate_limited` with the time until there is one, exactly like a refusal of the service.
 * @param timeoutMs the longest time a request may be on its way
 */
export function limitAnalytics(hour: AnalyticsHour, { timeoutMs }: { timeoutMs: number }) {
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

  async function withinHour<T>(
    user: string | undefined,
    project: string,
    request: () => Promise<T>,
  ): Promise<T> {
    const taken = await hour.take(project, user, timeoutMs)
    if ("waitMs" in taken) throw hourIsUsed(taken)
    const { slot } = taken
    try {
      const answer = await request()
      await hour.settle(slot)
      return answer
    } catch (error) {
      if (!(error instanceof DocsError)) throw error
      if (error.fault === "unreachable") await hour.giveBack(slot)
      // An interrupted request may still be on its way: its slot stays stamped ahead.
      else if (error.fault !== "interrupted") await hour.settle(slot)
      if (error.fault === "rate_limited")
        await hour.pause(project, error.retryAfterMs ?? READING_PAUSE_MS)
      throw error
    }
  }

  /** @param user undefined where nobody in particular asks */
  return <T>(user: string | undefined, project: string, request: () => Promise<T>): Promise<T> =>
    limiterOf(project).schedule(() => withinHour(user, project, request))
}

function isWorthRepeating(error: unknown): boolean {
  return error instanceof DocsError && error.retryable && error.fault !== "rate_limited"
}

function hourIsUsed({ waitMs, ownShare }: { waitMs: number; ownShare: boolean }): DocsError {
  return new DocsError({
    operation: "analytics",
    fault: "rate_limited",
    retryAfterMs: Math.max(0, waitMs),
    ownShare,
    detail: "the hour's analytics requests are used up; ask again later",
  })
}
