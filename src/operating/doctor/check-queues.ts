import type { Config } from "../../config/config.ts"
import { createProjects } from "../../config/projects.ts"
import { BUSY, projectOf, queueKeys } from "../../jobs/job-keys.ts"
import { createHealthStore } from "../../jobs/pause-store.ts"
import { faultNotice } from "../../messages/admin-notices.ts"
import type { RedisClient } from "../../store/script.ts"
import { workerNotices } from "../missing-worker.ts"
import { queueNotices } from "../tell-admins.ts"
import { type Finding, findingOf } from "./finding.ts"

/** Looks for what keeps requests or their results back although Redis, Slack and the service are well. */
export async function checkQueues(config: Config, redis: RedisClient): Promise<Finding[]> {
  const store = { redis }
  const settings = { ...config, projects: createProjects(config.docs.projects) }
  const health = createHealthStore(store, () => {})
  const notices = [
    ...(await queueNotices({ store, health, settings })),
    ...(await workerNotices(store)),
    ...((await hasRemoved(config, redis)) ? [faultNotice("removed", config)] : []),
  ]
  // Reading from the service shows a refused key; a month that isn't used up needs nobody yet.
  return notices
    .filter(({ fault, remedy }) => fault !== "key_refused" && remedy !== "")
    .map((notice) => findingOf("queue", notice))
}

/** Looks for requests of a project that the settings no longer have, which nothing else reports. */
async function hasRemoved({ docs: { projects } }: Config, redis: RedisClient): Promise<boolean> {
  const busy = await redis.smembers(BUSY)
  const removed = busy.filter((queue) => !projects.some(({ key }) => key === projectOf(queue)))
  const counts = await Promise.all(removed.map((queue) => redis.zcard(queueKeys(queue).wait)))
  return counts.some((count) => count > 0)
}
