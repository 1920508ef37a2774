import { key } from "../store/redis-keys.ts"
import type { RedisClient } from "../store/script.ts"

/** Operations that not every deployment of the service offers. */
type OptionalOperation = "message"

/** Time in ms after which the bot asks a deployment again, because operators upgrade services. */
const REMEMBERED_MS = 24 * 3_600_000

export type OptionalOperations = ReturnType<typeof createOptionalOperations>

/**
 * Creates the record, kept for a day, of optional operations that the service was found to lack.
 * @param paths the path of each operation; an answer from another path does not count
 */
export function createOptionalOperations(
  redis: RedisClient,
  paths: Readonly<Record<OptionalOperation, string>>,
) {
  const keyOf = (project: string, operation: OptionalOperation) =>
    key("operation", project, operation, paths[operation])
  return {
    isAbsent: async (project: string, operation: OptionalOperation) =>
      (await redis.exists(keyOf(project, operation))) === 1,

    async learnedAbsent(project: string, operation: OptionalOperation): Promise<void> {
      await redis.set(keyOf(project, operation), "1", "PX", REMEMBERED_MS)
    },
  }
}
