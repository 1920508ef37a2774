import type { Context } from "../../jobs/context.ts"
import { isMessages, jobKeys, projectOf, queueKeys, queuesOf } from "../../jobs/job-keys.ts"
import { currentRound } from "../../jobs/rounds.ts"
import type { RequestHandler } from "../../lib/http-server.ts"
import { readQueue } from "../../limit/queue-positions.ts"
import { currentTime } from "../../store/script.ts"
import type { Metrics } from "./metrics.ts"

/** Maximum number of requests per queue to read when looking for the oldest. */
const MAX_READ = 100

/**
 * Answers `GET /metrics`, even while Redis is unavailable. Leaves out unknown values instead of
 * repeating the last ones.
 * @param whyAway says why Redis does not accept writes, as `/readyz` does
 * @param isConnected whether Socket Mode is connected; absent over HTTP
 */
export function scrape(
  metrics: Metrics,
  context: Context,
  whyAway: () => Promise<string | undefined>,
  isConnected?: () => boolean,
): RequestHandler {
  return async (_, res) => {
    metrics.hourCeiling.set(context.settings.limits.jobsPerHour)
    metrics.hourReserved.set(context.settings.limits.reservedSlots)
    if (isConnected) metrics.socket.set(isConnected() ? 1 : 0)
    else metrics.socket.remove()
    const [gauges, away] = await Promise.all([
      readGauges(context).catch(() => undefined),
      whyAway(),
    ])
    metrics.redis.set(away ? 0 : 1)
    if (gauges) metrics.pollLag.set(gauges.pollLagMs / 1000)
    else metrics.pollLag.remove()
    for (const gauge of [metrics.waiting, metrics.oldest, metrics.hourUsed, metrics.paused])
      gauge.reset()
    for (const { project, waiting, oldestMs, used, paused } of gauges?.queues ?? []) {
      metrics.waiting.set({ project }, waiting)
      metrics.oldest.set({ project }, oldestMs / 1000)
      metrics.hourUsed.set({ project }, used)
      if (paused) metrics.paused.set({ project, reason: paused }, 1)
    }
    const body = await metrics.registry.metrics()
    res.writeHead(200, { "content-type": metrics.registry.contentType }).end(body)
  }
}

async function readGauges(context: Context) {
  const { redis } = context.store
  const [now, [, due]] = await Promise.all([
    currentTime(context.store),
    redis.zrange(jobKeys.schedule("polls"), "0", "0", "WITHSCORES"),
  ])
  const rows = queuesOf(context.settings.projects.keys).map(async (queue) => {
    const facts = await readQueue(context, queue)
    const found = await context.jobs.findAll(facts.waiting.slice(0, MAX_READ))
    return {
      project: `${context.settings.projects.nameOf(projectOf(queue))}${isMessages(queue) ? ":messages" : ""}`,
      waiting: await redis.zcard(queueKeys(queue).wait),
      oldestMs: now - Math.min(now, ...found.map(({ job }) => currentRound(job).at)),
      used: facts.log.length,
      paused: facts.pause?.reason,
    }
  })
  return {
    pollLagMs: due === undefined ? 0 : Math.max(0, now - Number(due)),
    queues: await Promise.all(rows),
  }
}
