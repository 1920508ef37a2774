import { key } from "../../store/keys.ts"
import type { RedisClient } from "../../store/script.ts"

/** Operations that not every deployment of the service offers. */
type OptionalOperation = "message" | "preview"

/** Time in ms after which the bot asks a deployment again, because operators upgrade services. */
const REMEMBERED_MS = 24 * 3_600_000

/**
 * Creates the record, kept for a day, of which optional operations the service offers, as far as
 * the bot has tried them.
 * @param paths the path of each operation; an answer from another path does not count
 */
export function createOptionalOperations(
  redis: RedisClient,
  paths: Readonly<Record<OptionalOperation, string>>,
) {
  const keyOf = (project: string, operation: OptionalOperation) =>
    key("operation", project, operation, paths[operation])
  return {
    async isAbsent(project: string, operation: OptionalOperation): Promise<boolean> {
      return (await redis.get(keyOf(project, operation))) === "absent"
    },

    async learned(project: string, operation: OptionalOperation, presence: "present" | "absent") {
      await redis.set(keyOf(project, operation), presence, "PX", REMEMBERED_MS)
    },
  }
}
