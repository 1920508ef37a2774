import type { OptionalOperation, OptionalOperations } from "../../jobs/service-ports.ts"
import { ignoreBroken, type OnBroken, typed } from "../broken.ts"
import { keys } from "../keys.ts"
import type { RedisClient } from "../script.ts"
import type { ReadProjectNames } from "./names.ts"

/** A deployment is asked again after this, ms: services are upgraded. */
const REMEMBERED_MS = 24 * 3_600_000

/** Where each is looked for; that of previews is not a setting. */
export function operationPaths({ messagePath }: { messagePath?: string | undefined }) {
  return { message: messagePath ?? "", preview: "preview" }
}

/** @param paths where each is looked for: what was found out at another address does not count */
export function createOptionalOperations(
  redis: RedisClient,
  paths: Readonly<Record<OptionalOperation, string>>,
  names: ReadProjectNames,
  onBroken: OnBroken = ignoreBroken,
): OptionalOperations {
  const keyOf = async (project: string, operation: OptionalOperation) =>
    keys.operation((await names()).storedAs(project), `${operation} ${paths[operation]}`)
  return {
    async presence(project, operation) {
      const key = await keyOf(project, operation)
      const known = await typed(key, redis.get(key), onBroken)
      return known === "present" || known === "absent" ? known : undefined
    },

    async learned(project, operation, presence) {
      await redis.set(await keyOf(project, operation), presence, "PX", REMEMBERED_MS)
    },
  }
}
