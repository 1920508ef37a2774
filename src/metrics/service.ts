import { DocsError } from "../errors/docs-error.ts"
import type { Log } from "../runtime/log.ts"
import { isWorthALine } from "../runtime/loop.ts"
import { statusLabel } from "./labels.ts"
import type { Metrics } from "./metrics.ts"

/** What an operator is told of a failure of the service: its status and its own words. */
export function failureFacts(error: unknown): { status?: number; detail?: string } {
  if (!(error instanceof DocsError)) return {}
  const { status, detail } = error
  return { ...(status === undefined ? {} : { status }), ...(detail ? { detail } : {}) }
}

/**
 * How long each request to the service took and how it ended. Failures are warnings, the same one
 * in a row ever more rarely: a night without the service stays readable.
 */
export function instrumentService(log: Log, metrics: Metrics) {
  const inARow = new Map<string, { status: string; failures: number }>()

  function failed(operation: string, error: unknown): void {
    const status = statusOf(error)
    const last = inARow.get(operation)
    const failures = last?.status === status ? last.failures + 1 : 1
    inARow.set(operation, { status, failures })
    if (!isWorthALine(failures)) return
    const fault = error instanceof DocsError ? { fault: error.fault } : { error }
    log.warn(
      { operation, ...fault, ...failureFacts(error), failures },
      "a request to the documentation service failed",
    )
  }

  return {
    requested: (operation: string, ms: number, end: { error?: unknown }): void => {
      const isWell = !("error" in end)
      const status = isWell ? "ok" : statusLabel(statusOf(end.error))
      metrics.serviceCalls.inc({ operation, status })
      metrics.serviceSeconds.observe({ operation }, ms / 1000)
      if (isWell) inARow.delete(operation)
      else failed(operation, end.error)
    },
  }
}

function statusOf(error: unknown): string {
  if (!(error instanceof DocsError)) return "other"
  return error.status === undefined ? error.fault : String(error.status)
}
