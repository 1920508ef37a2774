import type { StoreGauges } from "../jobs/gauges.ts"
import type { RequestHandler } from "../runtime/http-server.ts"
import type { Metrics } from "./metrics.ts"

interface ScrapeDeps {
  metrics: Metrics
  /** Fails while Redis is away. */
  readGauges: () => Promise<StoreGauges>
  jobsPerHour: number
  /** Returns whether Socket Mode is connected. Absent over HTTP. */
  connected: (() => boolean) | undefined
}

/** Answers `GET /metrics`, even while Redis is away. Removes unknown values instead of freezing them. */
export function scrape({ metrics, readGauges, ...deps }: ScrapeDeps): RequestHandler {
  return async (_, res) => {
    metrics.hourCeiling.set(deps.jobsPerHour)
    if (deps.connected) metrics.socket.set(deps.connected() ? 1 : 0)
    else metrics.socket.remove()
    const gauges = await readGauges().catch(() => undefined)
    metrics.redis.set(gauges ? 1 : 0)
    if (gauges) metrics.pollLag.set(gauges.pollLagMs / 1000)
    else metrics.pollLag.remove()
    for (const gauge of [metrics.waiting, metrics.oldest, metrics.hourUsed, metrics.paused])
      gauge.reset()
    for (const { queue: project, waiting, oldestMs, used, paused } of gauges?.queues ?? []) {
      metrics.waiting.set({ project }, waiting)
      metrics.oldest.set({ project }, oldestMs / 1000)
      metrics.hourUsed.set({ project }, used)
      if (paused) metrics.paused.set({ project, reason: paused }, 1)
    }
    const body = await metrics.registry.metrics()
    res.writeHead(200, { "content-type": metrics.registry.contentType }).end(body)
  }
}
