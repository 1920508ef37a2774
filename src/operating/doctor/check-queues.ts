import type { Config } from "../../config/config.ts"
import type { KeyedProject } from "../../config/projects.ts"
import { fingerprint } from "../../config/secret.ts"
import { BUSY, projectOf, queueKeys } from "../../jobs/job-keys.ts"
import { createHealthStore, isHeldFor } from "../../limit/pauses.ts"
import { currentTime } from "../../store/redis-clock.ts"
import type { RedisClient, Store } from "../../store/script.ts"
import { waitingWithoutWorker } from "../missing-worker.ts"
import { about, type Finding } from "./finding.ts"

const { warning, fault } = about("queue")

type Docs = Pick<Config["docs"], "projects">

/** Looks for requests that wait although Redis, Slack and the service are well. */
export async function checkQueues({ projects }: Docs, redis: RedisClient): Promise<Finding[]> {
  const pauses = projects.map((project) => checkPause(project, redis))
  const others = [checkRemoved({ projects }, redis), checkWorkers({ redis })]
  return (await Promise.all([...pauses, ...others])).flat()
}

async function checkWorkers(store: Store): Promise<Finding[]> {
  const { waiting } = await waitingWithoutWorker({ store, now: () => currentTime(store) })
  const next = "Start a worker (node dist/main.js worker). If one should be running, check its log."
  return waiting > 0 ? [fault("Requests are waiting, and no worker is running", next)] : []
}

/** Looks for a pause that only an admin ends, and that reading from the service doesn't show. */
async function checkPause({ key, name, isSingle, apiKey }: KeyedProject, redis: RedisClient) {
  const health = await createHealthStore({ redis }, () => {}).read(key)
  const { reason } = health
  if (reason !== "forbidden" && reason !== "restored") return []
  // A pause because of another key ends by itself.
  if (!isHeldFor(health, fingerprint(apiKey))) return []
  const [why, next] = PAUSES[reason]
  return [fault(`Requests${isSingle ? "" : ` for ${name}`} are paused: ${why}`, next)]
}

const PAUSES = {
  forbidden: [
    "the documentation service doesn't allow the key to start them (403)",
    "On the API keys page, check that it's an admin key for this project, and that the IP allowlist includes the machine Docs Agent runs on. Then press Resume in the message to the admins.",
  ],
  restored: [
    "nothing ran for over an hour, or Redis was restored from a backup",
    "In the message to the admins, press Resume to start them, or Drop requests to cancel them. If ADMIN_USERS is empty, set it and restart Docs Agent to get that message.",
  ],
} as const

/** Looks for requests of a project that the settings no longer have, which nothing else reports. */
async function checkRemoved({ projects }: Docs, redis: RedisClient): Promise<Finding[]> {
  const busy = await redis.smembers(BUSY)
  const removed = busy.filter((queue) => !projects.some(({ key }) => key === projectOf(queue)))
  const counts = await Promise.all(removed.map((queue) => redis.zcard(queueKeys(queue).wait)))
  if (!counts.some((count) => count > 0)) return []
  const next =
    "Add the project again, under any name: its ID and DOCS_API_URL must be the same as before. Or cancel the requests in Slack."
  return [warning("Requests are waiting for a project that isn't in the settings", next)]
}
