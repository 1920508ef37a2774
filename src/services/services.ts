import type { Config } from "../config/config.ts"
import { secretsOf } from "../config/secrets-of.ts"
import { TIMING, type Timing, WINDOW_MS } from "../config/timing.ts"
import { DocsClient } from "../docs/client.ts"
import { instrumentJobs } from "../instrumentation/jobs.ts"
import { instrumentService } from "../instrumentation/service.ts"
import { instrumentSlack } from "../instrumentation/slack.ts"
import type { HourLimits } from "../jobs/estimate.ts"
import { queuesOf } from "../jobs/queues.ts"
import { createMetrics } from "../metrics/metrics.ts"
import { onceByKey } from "../redis/broken.ts"
import { type Address, connectRedis } from "../redis/connection/connect.ts"
import { createDeferredPayloads } from "../redis/intake/deferred-payloads.ts"
import { createLastSeen } from "../redis/intake/last-seen.ts"
import { createPollQueue } from "../redis/jobs/poll-queue.ts"
import { createOutbox } from "../redis/outbox/store.ts"
import { createAuditStore } from "../redis/people/audit.ts"
import { createForget } from "../redis/people/forget.ts"
import { createProjectNames } from "../redis/projects/names.ts"
import { createProjectRegister } from "../redis/queue/project-register.ts"
import { createWakeUps, pausesOf } from "../redis/schedules/wake-ups.ts"
import { createGreeted } from "../redis/sessions/store.ts"
import { InFlight } from "../runtime/in-flight.ts"
import type { Log } from "../runtime/log.ts"
import { readVersion } from "../runtime/version.ts"
import { createSecretFilter } from "../text/secret-filter.ts"
import { createPullServices } from "./pulls.ts"
import { createSlackServices } from "./slack.ts"
import { createSlots, reseedWhenBack } from "./slots.ts"
import { createStores } from "./stores.ts"

const BROKEN =
  "skipped an unreadable record in Redis: another version of the bot wrote it, or somebody changed it by hand. Run one version everywhere, or delete the key"

/** What is fixed by the way the process was started rather than by its environment. */
interface Circumstances {
  address: Address
  /** Wait before the first grant of a Redis without data, ms; 0 when no other process can live. */
  coldMs: number
  /** Other intervals than in production: hundreds of crashes are lived through in minutes. */
  timing?: Partial<Timing>
}

export type Services = ReturnType<typeof createServices>

/** Everything long-lived, built once. Disposing closes it in reverse. */
export function createServices(config: Config, log: Log, where: Circumstances) {
  const timing: Timing = { ...TIMING, ...where.timing }
  /** Answers or fails within 2 s: for whatever Slack waits for. */
  const requestRedis = connectRedis(where.address, "requests", log)
  /** Waits for Redis as long as it takes: for the worker. */
  const workerRedis = connectRedis(where.address, "worker", log)
  const onBroken = onceByKey((key, error) => log.error({ key, error }, BROKEN))
  const metrics = createMetrics({ version: readVersion(), node: process.versions.node })
  const inFlight = new InFlight()
  /** Writes what happens to the log and the metrics. */
  const instrumentation = {
    slack: instrumentSlack(log, metrics),
    jobs: instrumentJobs(log, metrics),
    service: instrumentService(log, metrics),
  }
  const secrets = createSecretFilter(secretsOf(config))
  const docs = new DocsClient(config.docs, secrets, instrumentation.service.requested)
  const connections = { requestRedis, workerRedis }
  const slackOptions = { log, timing, secrets, instrumentation: instrumentation.slack }
  const { readers, ...slack } = createSlackServices(config, { ...slackOptions, ...connections })
  const limits: HourLimits = { ...config.limits, windowMs: WINDOW_MS }
  const leaseMs = timing.leaseMs + config.docs.timeoutMs
  const { outbound, isOwnDirect } = slack
  const { events } = instrumentation.jobs
  const { onPause } = instrumentation.service
  const written = { limits, timing, onBroken, leaseMs, events, onPause }
  const storesOver = createStores(config, { ...written, docs, outbound, isOwnDirect })
  const requestNames = createProjectNames(requestRedis, config.docs)
  const { previews, ...stores } = storesOver(requestRedis, requestNames)
  const names = createProjectNames(workerRedis, config.docs)
  const slots = createSlots(config, workerRedis, {
    timing,
    coldMs: where.coldMs,
    names,
    onBroken,
    events,
    inFlight,
  })
  reseedWhenBack(workerRedis, slots, log)
  const days = config.auditDays
  const audit = createAuditStore(workerRedis, { days, onBroken })
  const lookingOver = { worker: workerRedis, requests: requestRedis }
  return {
    config,
    log,
    metrics,
    instrumentation,
    limits,
    timing,
    secrets,
    inFlight,
    docs,
    audit,
    ...connections,
    ...slack,
    ...stores,
    names: requestNames,
    lastSeen: createLastSeen(requestRedis),
    deferred: createDeferredPayloads(requestRedis, { leaseMs: timing.leaseMs, onBroken }),
    greeted: createGreeted(requestRedis),
    forgetting: createForget(workerRedis, { queues: async () => queuesOf((await names()).stored) }),
    askPreview: (...asked: Parameters<typeof previews.ask>) => previews.ask(...asked),
    /** Absent where there is no token for GitHub. */
    pulls: createPullServices(config, lookingOver, { timing, onBroken, secrets }),
    /** The same stores over the worker connection, for the worker's passes. */
    work: {
      ...storesOver(workerRedis, names),
      readers,
      register: createProjectRegister(workerRedis, names, { graceMs: timing.abandonedMs }),
      wakeUps: createWakeUps(workerRedis, { troubles: pausesOf(names), names, log }),
      slots,
      polls: createPollQueue(workerRedis, { leaseMs, names, onBroken, events }),
      outbox: createOutbox(workerRedis, { ...timing, names, onBroken, events, auditDays: days }),
    },
    async [Symbol.asyncDispose]() {
      // Commands that still wait for Redis will get no answer.
      if (workerRedis.status !== "ready") workerRedis.disconnect()
      await slots.stop()
      await docs[Symbol.asyncDispose]()
      metrics.close()
      workerRedis.disconnect()
      requestRedis.disconnect()
    },
  }
}
