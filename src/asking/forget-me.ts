import { forgetInAudit } from "../jobs/audit-log.ts"
import type { Context } from "../jobs/context.ts"
import { forgotten } from "../jobs/end-round.ts"
import { newId } from "../jobs/job.ts"
import { jobKeys } from "../jobs/job-keys.ts"
import { say } from "../messages/private-answers.ts"
import { forgetQuestion } from "../messages/questions.ts"
import type { Click, Command } from "../slack/payloads.ts"
import { key } from "../store/redis-keys.ts"
import type { RedisClient } from "../store/script.ts"
import type { Reply } from "./work-after-ack.ts"

/** Time in ms within which a person can confirm `forget-me`. */
const ASKED_MS = 30 * 60_000
/** Number of keys that one SCAN call visits, so that Redis can do other work in between. */
const COUNT = 1000

type Data = Pick<Context, "store" | "jobs">

function questionKey(user: string): string {
  return key("own", user, "forgetting")
}

/** Asks a person to confirm that they want to be forgotten. */
export async function askToForget({ store }: Data, { user }: Command): Promise<Reply> {
  const id = newId()
  await store.redis.set(questionKey(user), id, "PX", ASKED_MS)
  return { ack: forgetQuestion(id) }
}

/** Handles the answer to `forget-me`, which counts until it is done. */
export async function answerForget(context: Data, { user, action, value }: Click): Promise<Reply> {
  const { redis } = context.store
  if ((await redis.get(questionKey(user))) !== value) return { ack: say("forget_expired") }
  if (action === "forget_me") await forgetPerson(context, user)
  else await redis.del(questionKey(user))
  return { ack: action === "forget_me" ? say("forgotten") : undefined, replace: true }
}

/**
 * Deletes a person's requests, audit entries and every key that is theirs alone (`own:<user>:…`), the
 * question too; safe to repeat. Keeps ids of jobs, and who used the slots of the rolling-hour log,
 * because the bot needs these to go on. Visits all keys, because the lists of a person's jobs are
 * bounded.
 */
export async function forgetPerson({ store, jobs }: Data, user: string): Promise<void> {
  const { redis } = store
  for (const id of await idsBehind(redis, jobKeys.record("")))
    await jobs.change(id, ({ job, now }) => forgotten(job, { user, now }))
  await forgetInAudit(redis, user)
  const own = await idsBehind(redis, key("own", user, ""))
  for (const name of own) await redis.del(key("own", user, name))
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
