import { DocsError } from "../errors/docs-error.ts"
import type { Log } from "../runtime/log.ts"
import { isWorthALine } from "../runtime/loop.ts"
import type { Metrics } from "./metrics.ts"

/** A label takes known values only: whatever comes from outside must not grow the metrics. */
const STATUSES = [400, 401, 403, 404, 405, 408, 409, 422, 429, 500, 501, 502, 503, 504]

/** Picks what an operator is told of a failure of the service: its status and its own words. */
export function failureFacts(error: unknown): { status?: number; detail?: string } {
  if (!(error instanceof DocsError)) return {}
  const { status, detail } = error
  return { ...(status === undefined ? {} : { status }), ...(detail ? { detail } : {}) }
}

/** Counts how often in a row each of several things had the same outcome. */
export function countInARow() {
  const last = new Map<string, { outcome: string; times: number }>()
  return (of: string, outcome: string): number => {
    const before = last.get(of)
    const times = before?.outcome === outcome ? before.times + 1 : 1
    last.set(of, { outcome, times })
    return times
  }
}

/**
 * Tells log and metrics how long each request to the service took and how it ended. Failures are warnings,
 * the same one in a row ever more rarely: a night without the service stays readable.
 */
export function instrumentService(log: Log, metrics: Metrics) {
  const inARow = countInARow()
  return {
    requested: (operation: string, ms: number, end: { error?: unknown }): void => {
      metrics.serviceSeconds.observe({ operation }, ms / 1000)
      const isWell = !("error" in end)
      const error = isWell || !(end.error instanceof DocsError) ? undefined : end.error
      const outcome = isWell ? "ok" : String(error?.status ?? error?.fault ?? "other")
      const isKnown = error?.status === undefined || STATUSES.includes(error.status)
      metrics.serviceCalls.inc({ operation, status: isKnown ? outcome : "other" })
      const failures = inARow(operation, outcome)
      if (isWell || !isWorthALine(failures)) return
      const fault = error ? { fault: error.fault } : { error: end.error }
      const facts = { operation, ...fault, ...failureFacts(error), failures }
      log.warn(facts, "a request to the documentation service failed")
    },
  }
}
