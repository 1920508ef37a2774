import type { Config } from "../../config/config.ts"
import { createProjects, type Projects } from "../../config/projects.ts"
import { BUSY, projectOf, queueKeys } from "../../jobs/job-keys.ts"
import { createHealthStore } from "../../jobs/pauses.ts"
import { operatorBudget, operatorWords } from "../../messages/admin-notices.ts"
import { FAULTS } from "../../messages/faults.ts"
import type { RedisClient, Store } from "../../store/script.ts"
import { waitingWithoutWorker } from "../missing-worker.ts"
import { openTroubles, reachedBudgets } from "../tell-admins.ts"
import { about, type Finding, wordsOfFault } from "./finding.ts"

const { warning, fault } = about("queue")

/** Looks for what keeps requests or their results back although Redis, Slack and the service are well. */
export async function checkQueues(config: Config, redis: RedisClient): Promise<Finding[]> {
  const store = { redis }
  const settings = { ...config, projects: createProjects(config.docs.projects) }
  const checks = [
    checkTroubles(settings, store),
    checkMonths(settings, store),
    checkRemoved(config, redis),
    checkWorkers(store),
  ]
  return (await Promise.all(checks)).flat()
}

async function checkWorkers(store: Store): Promise<Finding[]> {
  const { waiting } = await waitingWithoutWorker(store)
  return waiting > 0 ? [fault(...wordsOfFault("no_worker"))] : []
}

type Served = Config & { projects: Projects }

/** Reports a month whose requests are used up, so that requests wait. */
async function checkMonths(settings: Served, store: Store): Promise<Finding[]> {
  const budgets = await reachedBudgets({ store, settings })
  return budgets
    .filter(({ share }) => share === 1)
    .map((budget) => {
      const { says, next } = operatorBudget(budget, settings)
      return warning(says, next)
    })
}

/** Reports what admins were told, but no refused key: reading from the service shows that. */
async function checkTroubles(settings: Served, store: Store): Promise<Finding[]> {
  const health = createHealthStore(store, () => {})
  const troubles = await openTroubles({ store, health, settings })
  return troubles
    .filter(({ kind }) => kind !== "key_refused")
    .map((trouble) => {
      const { says, next } = operatorWords(trouble)
      return FAULTS[trouble.kind].isPassing ? warning(says, next) : fault(says, next)
    })
}

/** Looks for requests of a project that the settings no longer have, which nothing else reports. */
async function checkRemoved(
  { docs: { projects } }: Config,
  redis: RedisClient,
): Promise<Finding[]> {
  const busy = await redis.smembers(BUSY)
  const removed = busy.filter((queue) => !projects.some(({ key }) => key === projectOf(queue)))
  const counts = await Promise.all(removed.map((queue) => redis.zcard(queueKeys(queue).wait)))
  return counts.some((count) => count > 0) ? [warning(...wordsOfFault("removed"))] : []
}
