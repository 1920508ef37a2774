import { DocsError } from "../../docs-service/docs-error.ts"
import { defined } from "../../lib/defined.ts"
import type { Log } from "../../lib/log.ts"
import { isWorthALine } from "../../lib/loop.ts"
import type { Metrics } from "./metrics.ts"

export function failureFacts(error: unknown): { status?: number; detail?: string } {
  if (!(error instanceof DocsError)) return {}
  return defined({ status: error.status, detail: error.detail || undefined })
}

export function countInARow() {
  const last = new Map<string, { outcome: string; times: number }>()
  return (of: string, outcome: string): number => {
    const before = last.get(of)
    const times = before?.outcome === outcome ? before.times + 1 : 1
    last.set(of, { outcome, times })
    return times
  }
}

/** Reports each service request. Logs repeated failures less and less often. */
export function instrumentService(log: Log, metrics: Metrics) {
  const inARow = countInARow()
  return (operation: string, ms: number, error?: unknown): void => {
    const fault = error instanceof DocsError ? error.fault : "other"
    const outcome = error === undefined ? "ok" : fault
    metrics.serviceSeconds.observe({ operation, outcome }, ms / 1000)
    const { status, detail } = failureFacts(error)
    const failures = inARow(operation, `${status ?? outcome}`)
    if (error === undefined || !isWorthALine(failures)) return
    const about = error instanceof DocsError ? defined({ fault, status, detail }) : { error }
    log.warn({ operation, ...about, failures }, "service request failed")
  }
}
