import type { Config } from "../../config/config.ts"
import type { KeyedProject } from "../../config/projects.ts"
import { fingerprint } from "../../config/secret.ts"
import { BUSY, projectOf, queueKeys } from "../../jobs/job-keys.ts"
import { createHealthStore } from "../../jobs/pause-store.ts"
import { isHeldFor } from "../../limit/pauses.ts"
import { FAULTS } from "../../messages/faults.ts"
import type { RedisClient, Store } from "../../store/script.ts"
import { waitingWithoutWorker } from "../missing-worker.ts"
import { about, type Finding } from "./finding.ts"

const { warning, fault } = about("queue")

type Docs = Pick<Config["docs"], "projects" | "baseUrl">

/** Looks for requests that wait although Redis, Slack and the service are well. */
export async function checkQueues(
  { docs, isInContainer }: { docs: Docs; isInContainer: boolean },
  redis: RedisClient,
): Promise<Finding[]> {
  const facts = { baseUrl: docs.baseUrl, isInContainer }
  const pauses = docs.projects.map((project) => checkPause({ ...project, ...facts }, redis))
  const others = [checkRemoved(docs, redis), checkWorkers({ redis })]
  return (await Promise.all([...pauses, ...others])).flat()
}

async function checkWorkers(store: Store): Promise<Finding[]> {
  const { waiting } = await waitingWithoutWorker(store)
  const { is, next } = FAULTS.no_worker
  const setup = { isInContainer: false }
  return waiting > 0 ? [fault(is(setup), next(setup))] : []
}

/** Looks for a pause that only an admin ends, and that reading from the service doesn't show. */
async function checkPause(
  {
    key,
    name,
    isSingle,
    apiKey,
    baseUrl,
    isInContainer,
  }: KeyedProject & { baseUrl: string; isInContainer: boolean },
  redis: RedisClient,
) {
  const health = await createHealthStore({ redis }, () => {}).read(key)
  const { reason } = health
  if (reason !== "forbidden" && reason !== "restored") return []
  // A pause because of another key ends by itself.
  if (!isHeldFor(health, fingerprint(apiKey))) return []
  const { is, next } = FAULTS[reason]
  const setup = { isInContainer, host: new URL(baseUrl).host }
  const says = `Requests${isSingle ? "" : ` for ${name}`} are paused: ${is(setup)}`.replace(
    /\.$/,
    "",
  )
  return [fault(says, `${next(setup)} ${ANSWERS[reason]}`)]
}

const ANSWERS = {
  forbidden: "Then press Resume in the message to the admins, or run node dist/main.js resume.",
  restored:
    "Resume and Drop requests are in the message to the admins; node dist/main.js resume and drop do the same from a shell.",
} as const

/** Looks for requests of a project that the settings no longer have, which nothing else reports. */
async function checkRemoved(
  { projects }: Pick<Docs, "projects">,
  redis: RedisClient,
): Promise<Finding[]> {
  const busy = await redis.smembers(BUSY)
  const removed = busy.filter((queue) => !projects.some(({ key }) => key === projectOf(queue)))
  const counts = await Promise.all(removed.map((queue) => redis.zcard(queueKeys(queue).wait)))
  if (!counts.some((count) => count > 0)) return []
  const { is, next } = FAULTS.removed
  const setup = { isInContainer: false }
  return [warning(is(setup), next(setup))]
}
