import type { Context } from "../../jobs/context.ts"
import { isMessages, jobKeys, projectOf, queueKeys, queuesOf } from "../../jobs/job-keys.ts"
import { currentRound } from "../../jobs/rounds.ts"
import type { RequestHandler } from "../../lib/http-server.ts"
import { readQueue } from "../../limit/queue-positions.ts"
import { unknownSince } from "../../limit/restored-backup.ts"
import { limitInForce } from "../../pulls/github-limit.ts"
import { currentTime } from "../../store/script.ts"
import { logUnlessAway } from "../../store/server-state.ts"
import type { Metrics } from "./define-metrics.ts"

/** Maximum number of requests per queue to read when looking for the oldest. */
const MAX_READ = 100

/** Sources of gauges beside the context. */
interface Sources {
  /** Says why Redis does not accept writes, as `/readyz` does. */
  whyAway: () => Promise<string | undefined>
  /** Returns whether Socket Mode is connected; absent over HTTP. */
  isConnected?: (() => boolean) | undefined
  /** Hash of GitHub's token, if one is set. */
  tokenHash?: string | undefined
}

/**
 * Answers `GET /metrics`, even while Redis is unavailable. Leaves out unknown values instead of
 * repeating the last ones.
 */
export function scrape(
  metrics: Metrics,
  context: Context,
  { whyAway, isConnected, tokenHash }: Sources,
): RequestHandler {
  const unread = logUnlessAway(context.log, "couldn't read the gauges for /metrics", undefined)
  return async (_, res) => {
    metrics.hourCeiling.set(context.settings.limits.jobsPerHour)
    metrics.hourReserved.set(context.settings.limits.reservedSlots)
    if (isConnected) metrics.socket.set(isConnected() ? 1 : 0)
    else metrics.socket.remove()
    const [gauges, away] = await Promise.all([
      readGauges(context, tokenHash).catch(unread),
      whyAway(),
    ])
    metrics.redis.set(away ? 0 : 1)
    if (gauges) metrics.pollLag.set(gauges.pollLagMs / 1000)
    else metrics.pollLag.remove()
    const { waiting, oldest, hourUsed, paused, gitHubLimited } = metrics
    for (const gauge of [waiting, oldest, hourUsed, paused, gitHubLimited]) gauge.reset()
    if (gauges?.limited) gitHubLimited.set({ reason: gauges.limited.fault }, 1)
    for (const { project, reason, ...queue } of gauges?.queues ?? []) {
      waiting.set({ project }, queue.waiting)
      oldest.set({ project }, queue.oldestMs / 1000)
      hourUsed.set({ project }, queue.used)
      if (reason) paused.set({ project, reason }, 1)
    }
    const body = await metrics.registry.metrics()
    res.writeHead(200, { "content-type": metrics.registry.contentType }).end(body)
  }
}

async function readGauges(context: Context, tokenHash?: string) {
  const { redis } = context.store
  const [now, unknown, [, due]] = await Promise.all([
    currentTime(context.store),
    unknownSince(context.store),
    redis.zrange(jobKeys.schedule("polls"), "0", "0", "WITHSCORES"),
  ])
  const rows = queuesOf(context.settings.projects.keys).map(async (queue) => {
    const facts = await readQueue(context, queue)
    const found = await context.jobs.findAll(facts.waiting.slice(0, MAX_READ))
    return {
      project: `${context.settings.projects.nameOf(projectOf(queue))}${isMessages(queue) ? ":messages" : ""}`,
      waiting: await redis.zcard(queueKeys(queue).wait),
      oldestMs: now - Math.min(now, ...found.map(({ job }) => currentRound(job).at)),
      used: facts.slots.length,
      reason: facts.pause?.reason ?? (unknown ? "unknown_hour" : undefined),
    }
  })
  return {
    pollLagMs: due === undefined ? 0 : Math.max(0, now - Number(due)),
    queues: await Promise.all(rows),
    limited: tokenHash ? await limitInForce(context.store, tokenHash) : undefined,
  }
}
