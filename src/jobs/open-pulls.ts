import type { Context } from "./context.ts"
import { awaitsPeople } from "./job.ts"
import { jobKeys } from "./job-keys.ts"

/** Number of waiting pull requests from which a new card says that many wait. */
const MANY = 5
/** Maximum number of pull requests to read, so that a card costs little however many are open. */
const MAX_READ = 50

/** Returns whether many of the bot's pull requests wait for people, as far as GitHub was asked. */
export async function doManyWait({ store, jobs }: Pick<Context, "store" | "jobs">) {
  const ids = await store.redis.zrange(jobKeys.schedule("watch"), "0", String(MAX_READ - 1))
  const found = ids.length < MANY ? [] : await jobs.findAll(ids)
  return found.filter(({ job }) => job.pull && awaitsPeople(job.pull)).length >= MANY
}
