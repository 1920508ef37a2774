import { DocsError } from "../errors/docs-error.ts"
import type { KeyFault, ServiceHealth } from "../jobs/service-ports.ts"
import { statusLabel } from "../metrics/labels.ts"
import type { Metrics } from "../metrics/metrics.ts"
import type { DocsApi } from "../ports/docs-api.ts"
import type { Log } from "../runtime/log.ts"
import { isWorthALine } from "../runtime/loop.ts"

/** What an operator is told of a failure of the service: its status and its own words. */
export function failureFacts(error: unknown): { status?: number; detail?: string } {
  if (!(error instanceof DocsError)) return {}
  const { status, detail } = error
  return { ...(status === undefined ? {} : { status }), ...(detail ? { detail } : {}) }
}

/**
 * The same service, with how long each request took and how it ended. Failures are warnings, the same one
 * in a row ever more rarely: a night without the service stays readable.
 */
export function instrumentDocs(docs: DocsApi, metrics: Metrics, log: Log): DocsApi {
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

  async function timed<T>(operation: string, call: () => Promise<T>): Promise<T> {
    const started = performance.now()
    const count = (status: string) => {
      metrics.serviceCalls.inc({ operation, status })
      metrics.serviceSeconds.observe({ operation }, (performance.now() - started) / 1000)
    }
    try {
      const answer = await call()
      count("ok")
      inARow.delete(operation)
      return answer
    } catch (error) {
      count(statusLabel(statusOf(error)))
      failed(operation, error)
      throw error
    }
  }
  const { sendMessage } = docs
  return {
    createJob: (...args) => timed("create_job", () => docs.createJob(...args)),
    getJob: (...args) => timed("get_job", () => docs.getJob(...args)),
    buildPreview: (...args) => timed("preview", () => docs.buildPreview(...args)),
    previewStatus: (...args) => timed("update_status", () => docs.previewStatus(...args)),
    visitors: (...args) => timed("visitors", () => docs.visitors(...args)),
    assistant: (...args) => timed("assistant", () => docs.assistant(...args)),
    searches: (...args) => timed("searches", () => docs.searches(...args)),
    thumbs: (...args) => timed("thumbs", () => docs.thumbs(...args)),
    sendMessage: sendMessage && ((...args) => timed("message", () => sendMessage(...args))),
  }
}

function statusOf(error: unknown): string {
  if (!(error instanceof DocsError)) return "other"
  return error.status === undefined ? error.fault : String(error.status)
}

const STATUS = { key_refused: 401, forbidden: 403 } as const satisfies Record<KeyFault, number>

/** The same health, with the pauses that polls lead to written to the log. */
export function instrumentHealth(health: ServiceHealth, log: Log): ServiceHealth {
  return {
    ...health,
    async keyRefused(project, reason, by) {
      const pauses = await health.keyRefused(project, reason, by)
      if (pauses) log.warn({ project, reason, status: STATUS[reason], by }, "the queue is paused")
      return pauses
    },
  }
}
