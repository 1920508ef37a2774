import { forgetInAudit } from "../jobs/audit-log.ts"
import type { Context } from "../jobs/context.ts"
import { forgotten } from "../jobs/end-round.ts"
import { newId } from "../jobs/job.ts"
import { jobKeys } from "../jobs/job-keys.ts"
import { say } from "../messages/private-answers.ts"
import type { Click } from "../slack/payloads.ts"
import { key } from "../store/redis-keys.ts"
import type { RedisClient } from "../store/script.ts"
import type { Reply } from "./work-after-ack.ts"

/** Time in ms within which a person can confirm `forget-me`. */
const ASKED_MS = 30 * 60_000
/** Number of keys that one SCAN call visits, so that Redis can do other work in between. */
const COUNT = 1000

export type Forgetting = ReturnType<typeof createForgetting>

/**
 * Creates `forget-me`, which deletes a person's requests, audit entries and every key that is
 * theirs alone (`own:<user>:…`). Keeps ids of jobs, and who used the slots of the rolling-hour log,
 * because the bot needs these to go on. Visits all keys, because the lists of a person's jobs are
 * bounded.
 */
export function createForgetting(context: Pick<Context, "store" | "jobs">) {
  const { redis } = context.store
  const question = (user: string) => key("own", user, "forgetting")
  return {
    async ask(user: string): Promise<string> {
      const id = newId()
      await redis.set(question(user), id, "PX", ASKED_MS)
      return id
    },

    /** Returns whether a person was asked this in time, and neither kept nor forgot all since. */
    async isAsked(user: string, id: string): Promise<boolean> {
      return (await redis.get(question(user))) === id
    },

    async keep(user: string): Promise<void> {
      await redis.del(question(user))
    },

    /** Forgets a person, the question too; safe to repeat. */
    async forget(user: string): Promise<void> {
      for (const id of await idsBehind(redis, jobKeys.record("")))
        await context.jobs.change(id, ({ job, now }) => forgotten(job, { user, now }))
      await forgetInAudit(redis, user)
      const own = await idsBehind(redis, key("own", user, ""))
      for (const name of own) await redis.del(key("own", user, name))
    },
  }
}

async function idsBehind(redis: RedisClient, prefix: string): Promise<string[]> {
  const nodes = "nodes" in redis ? redis.nodes("master") : [redis]
  const found = new Set<string>()
  for (const node of nodes) {
    const stream: AsyncIterable<string[]> = node.scanStream({ match: `${prefix}*`, count: COUNT })
    for await (const names of stream) for (const name of names) found.add(name.slice(prefix.length))
  }
  return [...found]
}

/** Handles the answer to `forget-me`, which counts until it is done. */
export async function answerForget(
  forgetting: Forgetting,
  { user, action, value }: Click,
): Promise<Reply> {
  if (!(await forgetting.isAsked(user, value))) return { ack: say("forget_expired") }
  if (action === "forget_me") await forgetting.forget(user)
  else await forgetting.keep(user)
  return { ack: action === "forget_me" ? say("forgotten") : undefined, replace: true }
}
