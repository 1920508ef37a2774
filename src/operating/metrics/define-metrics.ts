import { Counter, Gauge, Histogram, Registry } from "prom-client"

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
