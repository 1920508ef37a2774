import type { Redis } from "ioredis"
import { projectKey } from "../../src/config/projects.ts"
import { queueKeys } from "../../src/jobs/job-keys.ts"
import type { Fleet } from "./fleet.ts"
import { CAMPAIGN } from "./timing.ts"

/** Creations that the service has seen, by project. */
interface Sources {
  readonly url: string
  readonly projects: readonly { readonly id: string }[]
  readonly creations: readonly {
    readonly projectId: string
    readonly prompt: string
    readonly at: number
  }[]
}

/** Time in ms after a loss in which creations that were granted before still reach the service. */
const ON_ITS_WAY_MS = 3000

/**
 * Judges the promises for a Redis that lost its data: it counts what surviving workers started, and
 * nothing starts before they have had time to report it.
 */
export async function judgeLosses(
  { losses, workersLostAt }: Pick<Fleet, "losses" | "workersLostAt">,
  { docs, redis }: { docs: Sources; redis: Pick<Redis, "zcard"> },
): Promise<Record<"forgottenByTheHour" | "startedTooEarly", readonly string[]>> {
  const lastSaidAt = Math.max(0, ...losses.map(({ until }) => until)) + CAMPAIGN.coldMs
  // A creation counts as unknown if a worker died before the reports: that one may have started it.
  // The reports are complete at the latest when a wait ends that began with Redis's answer.
  const isKnown = (at: number) =>
    at > lastSaidAt || !workersLostAt.some((lostAt) => lostAt > at && lostAt < lastSaidAt)
  const counts = docs.projects.map(async ({ id }) => {
    const key = projectKey(docs.url, id)
    const counted = await redis.zcard(queueKeys(key).log)
    const known = docs.creations.filter(({ projectId, at }) => projectId === id && isKnown(at))
    return counted < known.length ? [`${id}: ${counted} of ${known.length}`] : []
  })
  // Redis may begin its wait long before its answer arrives on a busy machine.
  const isTooEarly = (at: number) =>
    losses.some(({ since, until }) => at > until + ON_ITS_WAY_MS && at < since + CAMPAIGN.coldMs)
  return {
    forgottenByTheHour: (await Promise.all(counts)).flat(),
    startedTooEarly: docs.creations.filter(({ at }) => isTooEarly(at)).map(({ prompt }) => prompt),
  }
}
