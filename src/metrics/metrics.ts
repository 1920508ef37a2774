import { type IntervalHistogram, monitorEventLoopDelay } from "node:perf_hooks"
import { Counter, Gauge, Histogram, Registry } from "prom-client"

/** Slack gives up after 3 s: the buckets are fine where it hurts. Seconds. */
const ACK_BUCKETS = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 1.5, 2, 2.5, 3]
const SERVICE_BUCKETS = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15, 30]
/** The histogram measures the gaps between ticks of this length, ms; the rest of a gap is lag. */
const TICK_MS = 20

export type Metrics = ReturnType<typeof createMetrics>

/**
 * Everything that is counted, in a registry of its own. Labels are bounded by whoever counts.
 * Close it: the event-loop monitor has a timer.
 */
export function createMetrics(build: { version: string; node: string }) {
  const registry = new Registry()
  const loop = monitorEventLoopDelay({ resolution: TICK_MS })
  loop.enable()
  const gauges = createGauges(registry)
  gauges.build.set(build, 1)
  return {
    registry,
    ...createCounters(registry),
    ...createDurations(registry),
    ...gauges,
    /** Reads what the process itself knows; call before a scrape. */
    readProcess() {
      readLoop(loop, (quantile, seconds) => gauges.loopLag.set({ quantile }, seconds))
      gauges.memory.set(process.memoryUsage.rss())
    },
    close() {
      loop.disable()
    },
  }
}

function createCounters(registry: Registry) {
  const counter = <L extends string>(name: string, help: string, ...labelNames: L[]) =>
    new Counter({ name: `docs_agent_${name}`, help, labelNames, registers: [registry] })
  return {
    acks: counter("acks_total", "Deliveries of Slack and what became of them", "entry", "outcome"),
    unsigned: counter("unsigned_requests_total", "Requests to /slack/events not signed by Slack"),
    requests: counter("requests_total", "Prompts by what became of them", "outcome"),
    creations: counter("creations_total", "Creations tried, by outcome", "project", "outcome"),
    messages: counter("messages_total", "Messages to jobs, by outcome", "project", "outcome"),
    ended: counter("jobs_ended_total", "Jobs by how they ended", "ending"),
    polls: counter("polls_total", "Polls of jobs by outcome", "outcome"),
    slackCalls: counter("slack_calls_total", "Calls to Slack by outcome", "method", "outcome"),
    serviceCalls: counter(
      "service_calls_total",
      "Calls to the documentation service by status",
      "operation",
      "status",
    ),
  }
}

function createDurations(registry: Registry) {
  const registers = [registry]
  return {
    ackSeconds: new Histogram({
      name: "docs_agent_ack_seconds",
      help: "From a delivery to its answer; Slack waits 3 s",
      labelNames: ["entry"],
      buckets: ACK_BUCKETS,
      registers,
    }),
    serviceSeconds: new Histogram({
      name: "docs_agent_service_seconds",
      help: "Duration of calls to the documentation service",
      labelNames: ["operation"],
      buckets: SERVICE_BUCKETS,
      registers,
    }),
  }
}

function createGauges(registry: Registry) {
  const gauge = <L extends string>(name: string, help: string, ...labelNames: L[]) =>
    new Gauge({ name: `docs_agent_${name}`, help, labelNames, registers: [registry] })
  return {
    build: gauge("build_info", "1; which build runs", "version", "node"),
    waiting: gauge("queue_waiting", "Waiting prompts", "project"),
    oldest: gauge("queue_oldest_seconds", "Age of the oldest waiting prompt", "project"),
    hourUsed: gauge("hour_used", "Creations in the rolling hour", "project"),
    hourCeiling: gauge("hour_ceiling", "Creations that the rolling hour may have"),
    paused: gauge("queue_paused", "1 while the queue rests, by reason", "project", "reason"),
    pollLag: gauge("poll_lag_seconds", "How late the most overdue poll is"),
    socket: gauge("socket_connected", "1 while Socket Mode has a connection; not there over HTTP"),
    redis: gauge("redis_up", "1 while Redis answers"),
    loopLag: gauge("event_loop_lag_seconds", "Event-loop lag since the last scrape", "quantile"),
    memory: gauge("resident_memory_bytes", "Memory of the process"),
  }
}

function readLoop(loop: IntervalHistogram, set: (quantile: string, seconds: number) => void): void {
  const lag = (nanoseconds: number) => Math.max(0, nanoseconds / 1e9 - TICK_MS / 1000)
  const quiet = loop.count === 0
  set("0.5", quiet ? 0 : lag(loop.percentile(50)))
  set("0.99", quiet ? 0 : lag(loop.percentile(99)))
  set("1", quiet ? 0 : lag(loop.max))
  loop.reset()
}
