import { randomUUID } from "node:crypto"
import type { Context } from "../jobs/context.ts"
import { BUSY, projectOf, queueKeys } from "../jobs/job-keys.ts"
import { recognize } from "../store/recognize.ts"
import { key } from "../store/redis-keys.ts"
import type { OutsideMemory } from "./outside-memory.ts"
import { pauseOf } from "./pauses.ts"

/** Hash with the id of this Redis's data, and the time of the last mark of each file. */
const MEMORY = key("memory")

/**
 * Pauses every queue with waiting requests if Redis is older than what this machine remembers
 * outside of it, which only a backup is: people may have cancelled or repeated them since. A bot
 * that was switched off finds Redis as it left it, and goes on. Runs before anything starts, and
 * regularly after that, because Redis may be replaced while the bot runs.
 */
export async function recognizeData(
  { store, health }: Pick<Context, "store" | "health">,
  memory: OutsideMemory,
): Promise<void> {
  const { file, marks } = await memory.head()
  const facts = { file, newId: randomUUID() }
  const known = marks.flatMap(({ id, at }) => [id, at])
  let [id, at, since] = await recognize(store, { memory: MEMORY }, facts, known)
  if (at === 0) {
    for (const queue of await store.redis.smembers(BUSY)) {
      if ((await store.redis.zcard(queueKeys(queue).wait)) === 0) continue
      for (const paused of new Set([queue, projectOf(queue)]))
        await health.change(paused, (is, now) =>
          pauseOf(is, now)?.reason === "restored"
            ? undefined
            : { reason: "restored", since, until: "ever", key: undefined },
        )
    }
    ;[id, at, since] = await recognize(store, { memory: MEMORY }, facts)
  }
  await memory.mark({ id, at })
}
