import type { Config } from "../config/config.ts"
import type { Timing } from "../config/timing.ts"
import type { HourLimits } from "../jobs/estimate.ts"
import type { JobEvents } from "../jobs/events.ts"
import type { DocsApi } from "../ports/docs-api.ts"
import type { IsOwnDirect, Outbound } from "../ports/outbound.ts"
import type { OnBroken } from "../redis/broken.ts"
import { createClock } from "../redis/clock.ts"
import { createJobStore } from "../redis/jobs/store.ts"
import {
  fingerprintOf,
  fingerprintOfJobPath,
  type KeyFingerprint,
} from "../redis/key-fingerprint.ts"
import { createPreviewStore } from "../redis/previews/store.ts"
import type { ReadProjectNames } from "../redis/projects/names.ts"
import { createOptionalOperations, operationPaths } from "../redis/projects/optional-operations.ts"
import { createServiceHealth, type OnPause } from "../redis/queue/service-health.ts"
import { createQueueStore } from "../redis/queue/store.ts"
import type { RedisClient } from "../redis/script.ts"
import { createSessions } from "../redis/sessions/store.ts"
import { createVisitorsServices } from "./visitors.ts"

/** What they are built from, the same for both connections. */
interface StoresOptions {
  limits: HourLimits
  timing: Timing
  docs: DocsApi
  outbound: Outbound
  isOwnDirect: IsOwnDirect
  events: JobEvents
  onPause: OnPause
  onBroken: OnBroken
  /** How long a worker holds a claim, ms. */
  leaseMs: number
}

/** What is kept in Redis, over one connection: handlers and the worker each have their own. */
export function createStores(config: Config, options: StoresOptions) {
  const { limits, timing, events, onPause, onBroken, leaseMs, ...visiting } = options
  const keyFingerprint = keyFingerprintOf(config)
  const jobPathFingerprint = fingerprintOfJobPath(config.docs)
  const paths = operationPaths(config.docs)
  const accountOf = (project: string) => keyFingerprint(project) || project
  return (redis: RedisClient, names: ReadProjectNames) => {
    /** Redis' clock. */
    const now = createClock(redis)
    const fingerprints = { keyFingerprint, jobPathFingerprint }
    return {
      now,
      jobs: createJobStore(redis, { ...config.limits, names, onBroken, events }),
      queue: createQueueStore(redis, { ...limits, names, onBroken }),
      operations: createOptionalOperations(redis, paths, names, onBroken),
      health: createServiceHealth(redis, { names, ...fingerprints, onBroken, onPause }),
      previews: createPreviewStore(redis, { leaseMs, accountOf }),
      sessions: createSessions(redis, timing),
      visitors: createVisitorsServices(config, { redis, names, onBroken, now, ...visiting }),
    }
  }
}

export function keyFingerprintOf({ docs }: Config): KeyFingerprint {
  const fingerprints = new Map(
    docs.projects.map(({ name, apiKey }) => [name, fingerprintOf(apiKey)]),
  )
  return (project) => fingerprints.get(project) ?? ""
}
