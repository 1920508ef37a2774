import type { Redis } from "ioredis"
import { projectKey } from "../../src/config/projects.ts"
import { queueKeys } from "../../src/jobs/job-keys.ts"
import type { TestBed } from "../sandbox/test-bed.ts"
import type { Fleet } from "./fleet.ts"
import { CAMPAIGN } from "./timing.ts"

/** Time in ms after a loss in which creations that were granted before still reach the service. */
const ON_ITS_WAY_MS = 3000

/**
 * Judges the promises for a Redis that lost its data: it counts what surviving workers started, and
 * nothing starts before they have had time to report it.
 */
export async function judgeLosses(
  { losses, workersLostAt }: Pick<Fleet, "losses" | "workersLostAt">,
  { docs, redis }: Pick<TestBed, "docs"> & { redis: Redis },
): Promise<Record<"forgottenByTheHour" | "startedTooEarly", readonly string[]>> {
  const lastSaidAt = Math.max(0, ...losses.map(({ at }) => at)) + CAMPAIGN.coldMs
  // A creation counts as unknown if a worker died before the reports: that one may have started it.
  const isKnown = (at: number) =>
    at > lastSaidAt || !workersLostAt.some((lostAt) => lostAt > at && lostAt < lastSaidAt)
  const counts = docs.projects.map(async ({ id }) => {
    const key = projectKey(docs.url, id)
    const counted = await redis.zcard(queueKeys(key).log)
    const known = docs.creations.filter(({ projectId, at }) => projectId === id && isKnown(at))
    return counted < known.length ? [`${id}: ${counted} of ${known.length}`] : []
  })
  const isTooEarly = (at: number) =>
    losses.some((loss) => at > loss.at + ON_ITS_WAY_MS && at < loss.at + CAMPAIGN.coldMs)
  return {
    forgottenByTheHour: (await Promise.all(counts)).flat(),
    startedTooEarly: docs.creations.filter(({ at }) => isTooEarly(at)).map(({ prompt }) => prompt),
  }
}
