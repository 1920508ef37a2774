import { hash } from "node:crypto"
import { PayloadForgotten } from "../../jobs/deferred-payloads.ts"
import type { Accepted, JobStore, NewJob, Prompt } from "../../jobs/ports.ts"
import { queueOf, queuesOf } from "../../jobs/queues.ts"
import { jobKeys, keys, queueKeys } from "../keys.ts"
import { fromPrompt } from "../prompt-record.ts"
import type { Now, RedisClient } from "../script.ts"
import { enqueue } from "./enqueue.lua.ts"

export interface QueueLimits {
  /** Over all projects and their messages. */
  maxQueuedPerUser: number
  /** Every project, by the name it is stored under. */
  projects?: () => Promise<readonly string[]>
}

const NO_OTHERS = async () => []

/** Of the delivery that something is kept for; empty where that was not deferred. */
export function deliveryKey({ delivery }: Pick<NewJob, "delivery">): string {
  return delivery === undefined ? "" : keys.delivery(delivery)
}

/** Makes requests durable, each once. */
export function enqueuing(
  on: { redis: RedisClient; now: Now },
  { maxQueuedPerUser, projects = NO_OTHERS, newId }: QueueLimits & { newId: () => string },
): JobStore["enqueue"] {
  return async (job): Promise<Accepted> => {
    const id = newId()
    const queue = queueOf(job)
    const others = queuesOf(await projects()).filter((other) => other !== queue)
    const waitingElsewhere = others.map((other) => keys.waiting(other, job.user))
    const own = {
      ...jobKeys(id),
      ...queueKeys(queue, job.user),
      seen: keys.seen(job.idempotencyKey),
      same: keys.same(fingerprint(job.project, job.user, job.prompt)),
      userJobs: keys.user(job.user),
      thread: keys.thread(job.channel, job.thread ?? ""),
      room: keys.room,
    }
    const args = {
      id,
      user: job.user,
      max: maxQueuedPerUser,
      anyway: job.anyway ? "1" : "",
      threaded: job.thread ? "1" : "",
      words: fromPrompt(job.prompt),
      replyUrl: job.replyUrl ?? "",
      project: job.project,
      queue,
      delivery: deliveryKey(job),
    }
    const { team, channel, thread, asked, first, previous, follows, prLink: pr } = job
    const quiet = job.quiet ? "1" : undefined
    const hadPull = job.hadPull ? "1" : undefined
    const retry = job.isRetry ? "1" : undefined
    const fields = Object.entries({
      team,
      channel,
      thread,
      asked,
      first,
      previous,
      follows,
      pr,
      hadPull,
      retry,
      quiet,
    })
    const present = fields.flatMap(([name, value]) => (value ? [name, value] : []))
    const [outcome, value] = await enqueue(on, own, args, present, waitingElsewhere)
    if (outcome === "forgotten") throw new PayloadForgotten()
    if (outcome === "no_room" || outcome === "too_much") return { outcome: "full", of: outcome }
    if (outcome === "full") return { outcome, of: "waiting", waiting: Number(value) }
    return { outcome, id: value }
  }
}

/**
 * Tells whether two prompts are the same ask: case, spacing and Unicode form do not matter, other files
 * do.
 */
export function fingerprint(project: string, user: string, { words, files = [] }: Prompt): string {
  // Plain ASCII is in its normal form, and finding that out is quicker than to make one.
  const formed = /^[\x20-\x7e]*$/.test(words) ? words : words.normalize("NFKC")
  const normal = formed
    .toLowerCase()
    .replace(/\s\s+|[^\S ]/g, " ")
    .trim()
  return hash(
    "sha256",
    JSON.stringify([project, user, normal, ...files.map(({ id }) => id)]),
    "base64url",
  )
}
