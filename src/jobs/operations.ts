import { key } from "../store/keys.ts"
import type { RedisClient } from "../store/script.ts"

/** Operations that not every deployment of the service offers. */
type OptionalOperation = "message" | "preview"

/** A deployment is asked again after this, ms: services are upgraded. */
const REMEMBERED_MS = 24 * 3_600_000

export type OptionalOperations = ReturnType<typeof createOptionalOperations>

/**
 * Remembers which of them the service offers, as far as the bot has tried them, for a day.
 * @param paths where each is looked for: what was found out at another address does not count
 */
export function createOptionalOperations(
  redis: RedisClient,
  paths: Readonly<Record<OptionalOperation, string>>,
) {
  const keyOf = (project: string, operation: OptionalOperation) =>
    key("operation", project, operation, paths[operation])
  return {
    async presence(project: string, operation: OptionalOperation) {
      const known = await redis.get(keyOf(project, operation))
      return known === "present" || known === "absent" ? known : undefined
    },

    async learned(project: string, operation: OptionalOperation, presence: "present" | "absent") {
      await redis.set(keyOf(project, operation), presence, "PX", REMEMBERED_MS)
    },
  }
}
