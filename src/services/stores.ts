import type { Config } from "../config/config.ts"
import type { Timing } from "../config/timing.ts"
import type { instrumentJobs } from "../instrumentation/ports.ts"
import { instrumentStanding } from "../instrumentation/service.ts"
import type { HourLimits } from "../jobs/estimate.ts"
import type { DocsApi } from "../ports/docs-api.ts"
import type { IsOwnDirect, Outbound } from "../ports/outbound.ts"
import type { OnBroken } from "../redis/broken.ts"
import { createClock } from "../redis/clock.ts"
import { createJobStore } from "../redis/jobs/store.ts"
import { createPreviewStore } from "../redis/previews/store.ts"
import { type KeyPrint, printOf, printOfJobPath } from "../redis/print.ts"
import { namedJobs, namedOperations, namedStanding } from "../redis/projects/named-stores.ts"
import type { ReadProjectNames } from "../redis/projects/names.ts"
import { createOptionalOperations, operationPaths } from "../redis/projects/optional-operations.ts"
import { namedQueue } from "../redis/queue/named-stores.ts"
import { createServiceStanding } from "../redis/queue/standing.ts"
import { createQueueStore } from "../redis/queue/store.ts"
import type { RedisClient } from "../redis/script.ts"
import { createSessions } from "../redis/sessions/store.ts"
import type { Log } from "../runtime/log.ts"
import { createVisitorsServices } from "./visitors.ts"

/** What they stand on, the same for both connections. */
interface StoresOptions {
  log: Log
  limits: HourLimits
  timing: Timing
  docs: DocsApi
  outbound: Outbound
  isOwnDirect: IsOwnDirect
  instrumentation: ReturnType<typeof instrumentJobs>
  onBroken: OnBroken
  /** How long a worker has what it claimed, ms. */
  leaseMs: number
}

/** What is kept in Redis, over one connection: handlers and the worker each have their own. */
export function createStores(config: Config, options: StoresOptions) {
  const { log, limits, timing, instrumentation, onBroken, leaseMs, ...visiting } = options
  const { prints, keyPrintBy } = printsOf(config)
  const jobPathPrint = printOfJobPath(config.docs)
  const paths = operationPaths(config.docs)
  const accountOf = (project: string) => prints.get(project) ?? project
  return (redis: RedisClient, names: ReadProjectNames) => {
    const projects = async () => (await names()).stored
    /** Redis' clock. */
    const now = createClock(redis)
    const jobs = createJobStore(redis, { ...config.limits, projects, onBroken })
    const queue = createQueueStore(redis, { ...limits, onBroken })
    const operations = createOptionalOperations(redis, paths, onBroken)
    const prints = { keyPrint: keyPrintBy(names), jobPathPrint }
    const standing = createServiceStanding(redis, { ...prints, onBroken })
    return {
      now,
      jobs: instrumentation.store(namedJobs(jobs, names)),
      queue: namedQueue(queue, names),
      operations: namedOperations(operations, names),
      standing: instrumentStanding(namedStanding(standing, names), log),
      previews: createPreviewStore(redis, { leaseMs, accountOf }),
      sessions: createSessions(redis, timing),
      visitors: createVisitorsServices(config, { redis, names, onBroken, now, ...visiting }),
    }
  }
}

/** What tells one key from another, by a project's configured name and by its stored one. */
export function printsOf({ docs }: Config) {
  const prints = new Map(docs.projects.map(({ name, apiKey }) => [name, printOf(apiKey)]))
  const keyPrintBy =
    (names: ReadProjectNames): KeyPrint =>
    async (stored) =>
      prints.get((await names()).nameOf(stored)) ?? ""
  return { prints, keyPrintBy }
}
