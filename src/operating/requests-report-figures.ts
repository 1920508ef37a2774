import { wasNeverSent } from "../jobs/round-record.ts"
import { chartPoints } from "../visitors/chart.ts"
import { addDays, type Range, startOf } from "../visitors/range.ts"

/** Facts of one request that the report is made of, as the audit log keeps them. Times in ms. */
export interface RequestFacts {
  at: number
  project: string
  ending?: string | undefined
  endedAt?: number | undefined
  prLink?: string | undefined
  /** End of the pull request, once GitHub reported it, and when. */
  pullEnd?: "merged" | "closed" | undefined
  pullEndedAt?: number | undefined
}

/** Counts of what came of the requests, and the pull requests that still wait for somebody. */
export interface Outcomes {
  asked: number
  opened: number
  merged: number
  closed: number
  /** Median time in ms from a pull request's opening to its merge; undefined without a merge. */
  toMergeMs: number | undefined
  /** Open pull requests, oldest first. */
  waiting: { prLink: string; openedAt: number }[]
}

/** Column of the chart: pull requests by the time at which they were opened. */
export interface OutcomeSpan {
  range: Range
  opened: number
  merged: number
}

interface PullFacts {
  prLink: string
  project: string
  openedAt: number
  end?: "merged" | "closed" | undefined
  endedAt?: number | undefined
}

/**
 * Says what came of a period: requests count by the time at which they were asked, and each pull
 * request once, by the time at which it was opened; never by person.
 * @param requests all that are known, because an earlier one may have opened the pull request
 */
export function outcomesOf(requests: readonly RequestFacts[], range: Range): Outcomes {
  const isWithin = within(range)
  const asked = requests.filter((request) => isWanted(request) && isWithin(request.at))
  const pulls = pullsOf(requests).filter(({ openedAt }) => isWithin(openedAt))
  const merges = pulls.filter(({ end }) => end === "merged")
  const waiting = pulls.filter(({ end }) => end === undefined)
  return {
    asked: asked.length,
    opened: pulls.length,
    merged: merges.length,
    closed: pulls.length - merges.length - waiting.length,
    toMergeMs: median(
      merges.flatMap(({ openedAt, endedAt }) =>
        endedAt === undefined ? [] : Math.max(0, endedAt - openedAt),
      ),
    ),
    waiting: waiting
      .map(({ prLink, openedAt }) => ({ prLink, openedAt }))
      .sort((a, b) => a.openedAt - b.openedAt),
  }
}

/** Returns whether a request counts: not if nobody wanted it any more, or it might not be made. */
function isWanted(request: RequestFacts): boolean {
  return !wasNeverSent(request)
}

function within({ from, to }: Range): (at: number) => boolean {
  const [start, end] = [startOf(from), startOf(addDays(to, 1))]
  return (at) => at >= start && at < end
}

/** Counts the pull requests of each column of a chart. */
export function spansOf(requests: readonly RequestFacts[], range: Range): OutcomeSpan[] {
  const pulls = pullsOf(requests)
  return chartPoints(range).map((column) => {
    const isWithin = within(column)
    const opened = pulls.filter(({ openedAt }) => isWithin(openedAt))
    const merged = opened.filter((pull) => pull.end === "merged").length
    return { range: column, opened: opened.length, merged }
  })
}

/** Returns each pull request once, with the first time at which a request led to it. */
function pullsOf(requests: readonly RequestFacts[]): PullFacts[] {
  const pulls = new Map<string, PullFacts>()
  for (const { prLink, project, at, endedAt, pullEnd, pullEndedAt } of requests.filter(isWanted)) {
    if (prLink === undefined) continue
    const openedAt = endedAt ?? at
    const known = pulls.get(prLink)
    // A pull request may have been closed under one request and merged under a later one.
    const isLater = known === undefined || (pullEndedAt ?? 0) > (known.endedAt ?? 0)
    pulls.set(prLink, {
      prLink,
      project,
      openedAt: Math.min(openedAt, known?.openedAt ?? openedAt),
      end: isLater ? pullEnd : known.end,
      endedAt: isLater ? pullEndedAt : known.endedAt,
    })
  }
  return [...pulls.values()]
}

function median(values: readonly number[]): number | undefined {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = sorted.length / 2
  const low = sorted[Math.ceil(middle) - 1]
  const high = sorted[Math.floor(middle)]
  return low === undefined || high === undefined ? undefined : (low + high) / 2
}
