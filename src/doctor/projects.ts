import type { Config } from "../config/config.ts"
import { WINDOW_MS } from "../config/timing.ts"
import { limitAnalytics } from "../docs/limited-analytics.ts"
import type { DocsApi } from "../ports/docs-api.ts"
import { redisTime } from "../redis/clock.ts"
import { fingerprintOfJobPath } from "../redis/key-fingerprint.ts"
import { lookUpProjectNames } from "../redis/projects/names.ts"
import { createOptionalOperations, operationPaths } from "../redis/projects/optional-operations.ts"
import { createServiceHealth } from "../redis/queue/service-health.ts"
import { createQueueStore } from "../redis/queue/store.ts"
import type { RedisClient } from "../redis/script.ts"
import { createAnalyticsHour } from "../redis/visitors/analytics-hour.ts"
import { serviceAccounts } from "../redis/visitors/service-account.ts"
import type { OperationFacts } from "./operations.ts"
import { type ProjectFacts, readOneRow } from "./service.ts"

/** Reads one row in each project, and what the bot remembers of each. Never throws. */
export async function readProjects(
  docs: DocsApi,
  { docs: { timeoutMs, projects, ...where }, limits }: Config,
  redis: RedisClient | undefined,
): Promise<ProjectFacts[]> {
  const names = redis && lookUpProjectNames(redis, { ...where, projects })
  const queue = names && createQueueStore(redis, { windowMs: WINDOW_MS, names })
  const jobPathFingerprint = fingerprintOfJobPath(where)
  const health = names && createServiceHealth(redis, { names, jobPathFingerprint })
  const accountOf = serviceAccounts({ ...where, projects }).of
  const hour = redis && createAnalyticsHour(redis, { perHour: limits.analyticsPerHour, accountOf })
  // The read counts in the hour of analytics like any other, as soon as there is one to count in.
  const limited = hour && limitAnalytics(hour, { timeoutMs })
  const visitors: DocsApi["visitors"] = (project, query) => {
    const read = () => docs.visitors(project, query)
    return limited ? limited({ kind: "doctor" }, project, read) : read()
  }
  const now = redis ? await redisTime(redis) : Date.now()
  return Promise.all(
    projects.map(async ({ name }) => {
      const reading = readOneRow(visitors, name, now)
      const [fault, facts, missing] = await Promise.all([
        reading,
        queue?.facts(name),
        health?.jobPath(name),
      ])
      return { project: name, fault, pause: facts?.pause, missing }
    }),
  )
}

/** What the bot found out about operations that not every deployment has; it tries none. */
export async function readOperations(
  { docs }: Config,
  redis: RedisClient | undefined,
): Promise<OperationFacts[]> {
  if (!redis) return []
  const names = lookUpProjectNames(redis, docs)
  const operations = createOptionalOperations(redis, operationPaths(docs), names)
  return Promise.all(
    docs.projects.map(async ({ name: project }) => {
      const known = await operations.presence(project, "message")
      const message = docs.messagePath === undefined ? "off" : (known ?? "unknown")
      const preview = (await operations.presence(project, "preview")) ?? "unknown"
      return { project, message, preview }
    }),
  )
}
