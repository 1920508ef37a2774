import { Counter, Gauge, Histogram, Registry } from "prom-client"
import type { Context } from "../../jobs/context.ts"
import { isMessages, jobKeys, projectOf, queueKeys, queuesOf } from "../../jobs/job-keys.ts"
import { currentRound } from "../../jobs/rounds.ts"
import type { RequestHandler } from "../../lib/http-server.ts"
import { readQueue } from "../../limit/queue-positions.ts"
import { unknownSince } from "../../limit/restored-backup.ts"
import { limitInForce } from "../../pulls/github-limit.ts"
import { currentTime } from "../../store/script.ts"
import { logUnlessAway } from "../../store/server-state.ts"

/** Histogram buckets in seconds, up to the 3 s after which Slack gives up. */
const ACK_BUCKETS = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 1.5, 2, 2.5, 3]
const SERVICE_BUCKETS = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15, 30]

export type Metrics = ReturnType<typeof createMetrics>

export function createMetrics() {
  const registry = new Registry()
  const about = <L extends string>(name: string, help: string, labelNames: L[]) => ({
    name: `docs_agent_${name}`,
    help,
    labelNames,
    registers: [registry],
  })
  const total = <L extends string>(name: string, help: string, ...labels: L[]) =>
    new Counter(about(`${name}_total`, help, labels))
  const gauge = <L extends string>(name: string, help: string, ...labels: L[]) =>
    new Gauge(about(name, help, labels))
  const seconds = <L extends string>(name: string, help: string, buckets: number[], label: L) =>
    new Histogram({ ...about(`${name}_seconds`, help, [label]), buckets })

  const running = "Always 1; its labels name the type of process and the running build"
  const acks = "Time to acknowledge a Slack delivery; Slack allows 3 s"
  const calls = "Duration of calls to the documentation service"
  return {
    registry,
    build: gauge("build_info", running, "type", "version", "node"),
    ackSeconds: seconds("ack", acks, ACK_BUCKETS, "entry"),
    acks: total("acks", "Acknowledged Slack deliveries, by outcome", "entry", "outcome"),
    unsigned: total("unsigned_requests", "Requests to /slack/events that Slack didn't sign"),
    requests: total("requests", "Requests from people, by outcome", "outcome"),
    creations: total("creations", "Attempts to create a job, by outcome", "project", "outcome"),
    messages: total("messages", "Attempts to send a follow-up, by outcome", "project", "outcome"),
    ended: total("jobs_ended", "Jobs that ended, by outcome", "ending"),
    slackCalls: total("slack_calls", "Calls to Slack, by outcome", "method", "outcome"),
    serviceCalls: total("service_calls", "Calls to the service", "operation", "outcome"),
    serviceSeconds: seconds("service", calls, SERVICE_BUCKETS, "operation"),
    waiting: gauge("queue_waiting", "Waiting requests", "project"),
    oldest: gauge("queue_oldest_seconds", "Age of the oldest waiting request", "project"),
    hourUsed: gauge("hour_used", "Jobs started in the past hour, or follow-ups sent", "project"),
    hourCeiling: gauge("hour_ceiling", "Maximum jobs per hour (rolling)"),
    hourReserved: gauge(
      "hour_reserved",
      "How many of them are for people with few jobs in the hour",
    ),
    paused: gauge("queue_paused", "1 while the queue is paused, by reason", "project", "reason"),
    pollLag: gauge("poll_lag_seconds", "How late the most overdue poll is"),
    gitHubLimited: gauge("github_limited", "1 while a limit of GitHub is used up", "reason"),
    socket: gauge("socket_connected", "1 while Socket Mode is connected; absent without it"),
    redis: gauge("redis_up", "1 while Redis accepts writes"),
  }
}

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
      used: facts.log.length,
      reason: facts.pause?.reason ?? (unknown ? "unknown_hour" : undefined),
    }
  })
  return {
    pollLagMs: due === undefined ? 0 : Math.max(0, now - Number(due)),
    queues: await Promise.all(rows),
    limited: tokenHash ? await limitInForce(context.store, tokenHash, now) : undefined,
  }
}
