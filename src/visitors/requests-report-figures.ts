import { type AuditEntry, auditEntries } from "../jobs/audit-log.ts"
import type { Context } from "../jobs/context.ts"
import { wasNeverSent } from "../jobs/round-record.ts"
import { addDays, DAY_MS, dayOf, startOf } from "../lib/time.ts"
import { currentTime } from "../store/script.ts"
import { chartPoints } from "./chart.ts"
import type { Range } from "./range.ts"

/** Facts of one request that the report is made of, as the audit log keeps them. Times in ms. */
export type RequestFacts = Omit<AuditEntry, "job" | "ask" | "user" | "channel" | "words">

/** Counts of what came of the requests, and the pull requests that still wait for somebody. */
export type Outcomes = ReturnType<typeof outcomesOf>

/** Facts of the report about requests, of all projects together and of each. */
export type OutcomesFacts = Awaited<ReturnType<typeof readOutcomes>>

export async function readOutcomes(context: Context, range: Range) {
  const { settings, store } = context
  const now = await currentTime(store)
  const requests = await readRequests(context)
  const kept = dayOf(now - settings.auditDays * DAY_MS)
  const projects = [...new Set(requests.map(({ project }) => project))]
    .map((key) => ({
      name: settings.projects.nameOf(key),
      outcomes: outcomesOf(requests, range, key),
    }))
    .filter(({ outcomes }) => hasAny(outcomes))
    .sort((a, b) => a.name.localeCompare(b.name, "en"))
  return {
    range,
    now,
    all: outcomesOf(requests, range),
    /** Projects by name, in alphabetical order. */
    projects,
    spans: spansOf(requests, range),
    /** False without a GitHub token: then nobody knows what became of a pull request. */
    isFollowed: settings.github !== undefined,
    gitHubHost: settings.gitHubHost,
    /** First day of which the audit log has entries, if the period begins earlier. */
    knownFrom: range.from < kept ? kept : undefined,
  }
}

/** Reads what came of a project's requests, for its weekly digest. */
export async function readProjectOutcomes(context: Context, project: string, range: Range) {
  return outcomesOf(await readRequests(context), range, project)
}

async function readRequests({ store, settings, events }: Context): Promise<RequestFacts[]> {
  const found: RequestFacts[] = []
  for await (const entry of auditEntries(store, settings.auditDays, events.unreadable))
    found.push(entry)
  return found
}

/**
 * Says what came of a period: requests count by the time at which they were asked, and each pull
 * request once, by the time at which it was opened; never by person.
 * @param all that are known, because an earlier one may have opened the pull request
 * @param project of which to count the requests; of every one if absent
 */
export function outcomesOf(all: readonly RequestFacts[], range: Range, project?: string) {
  const isWithin = within(range)
  const requests = all.filter((one) => project === undefined || one.project === project)
  const asked = requests.filter((request) => !wasNeverSent(request) && isWithin(request.at))
  const pulls = pullsOf(requests).filter(({ openedAt }) => isWithin(openedAt))
  const merges = pulls.filter(({ end }) => end === "merged")
  const waiting = pulls.filter(({ end }) => end === undefined)
  return {
    asked: asked.length,
    opened: pulls.length,
    merged: merges.length,
    closed: pulls.length - merges.length - waiting.length,
    /** Median time in ms from a pull request's opening to its merge; undefined without a merge. */
    toMergeMs: median(merges.map(({ openedAt, endedAt }) => Math.max(0, endedAt - openedAt))),
    /** Open pull requests, oldest first. */
    waiting: waiting
      .map(({ prLink, openedAt }) => ({ prLink, openedAt }))
      .sort((a, b) => a.openedAt - b.openedAt),
  }
}

function within({ from, to }: Range): (at: number) => boolean {
  const [start, end] = [startOf(from), startOf(addDays(to, 1))]
  return (at) => at >= start && at < end
}

/** Counts the pull requests of each column of a chart, by the time at which they were opened. */
export function spansOf(requests: readonly RequestFacts[], range: Range) {
  const pulls = pullsOf(requests)
  return chartPoints(range).map((column) => {
    const isWithin = within(column)
    const opened = pulls.filter(({ openedAt }) => isWithin(openedAt))
    const merged = opened.filter(({ end }) => end === "merged").length
    return { range: column, opened: opened.length, merged }
  })
}

/** Returns each pull request once, opened when a request first led to it, with its latest end. */
function pullsOf(requests: readonly RequestFacts[]) {
  const byLink = new Map<string, [RequestFacts, ...RequestFacts[]]>()
  for (const request of requests) {
    const { prLink } = request
    if (prLink === undefined || wasNeverSent(request)) continue
    const known = byLink.get(prLink)
    if (known) known.push(request)
    else byLink.set(prLink, [request])
  }
  return [...byLink].map(([prLink, of]) => {
    const openedAt = Math.min(...of.map(({ at, endedAt }) => endedAt ?? at))
    // It may have been closed under one request and merged under a later one.
    const endedAt = Math.max(...of.map(({ pullEndedAt = 0 }) => pullEndedAt))
    const end = of.find(({ pullEndedAt = 0 }) => pullEndedAt === endedAt)?.pullEnd
    return { prLink, openedAt, endedAt, end }
  })
}

/** Returns the middle value, or the mean of the two in the middle; undefined for no values. */
export function median(values: readonly number[]): number | undefined {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = (sorted.length - 1) / 2
  const [low, high] = [sorted[Math.floor(middle)], sorted[Math.ceil(middle)]]
  return low === undefined || high === undefined ? undefined : (low + high) / 2
}

/** Returns whether a period has a request, or a pull request of one that was asked before it. */
export function hasAny({ asked, opened }: Outcomes): boolean {
  return asked > 0 || opened > 0
}
