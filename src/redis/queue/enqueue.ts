import { hash } from "node:crypto"
import { PayloadForgotten } from "../../jobs/deferred-payloads.ts"
import { type JobEvents, NO_EVENTS } from "../../jobs/events.ts"
import type { Accepted, JobStore, NewJob, Prompt } from "../../jobs/ports.ts"
import { queueOf, queuesOf } from "../../jobs/queues.ts"
import { busyKey, keys } from "../keys.ts"
import { type NamedStoreOptions, SAME_NAMES, stored } from "../projects/names.ts"
import { fromPrompt } from "../prompt-record.ts"
import type { Now, RedisClient } from "../script.ts"
import { enqueue } from "./enqueue.lua.ts"

export interface QueueOptions extends NamedStoreOptions {
  /** Over all projects and their messages. */
  maxQueuedPerUser: number
  events?: JobEvents
}

/** Key of the deferred payload that a request came in; empty where it was not deferred. */
export function deferredKey({ deferred }: Pick<NewJob, "deferred">): string {
  return deferred === undefined ? "" : keys.deferredPayload(deferred)
}

/** Makes requests durable, each once. */
export function enqueuing(
  on: { redis: RedisClient; now: Now },
  options: QueueOptions & { newId: () => string },
): JobStore["enqueue"] {
  const { maxQueuedPerUser, names = SAME_NAMES, events = NO_EVENTS, newId } = options
  return async (asked): Promise<Accepted> => {
    const known = await names()
    const job = stored(known, asked)
    const id = newId()
    const queue = queueOf(job)
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
      deferred: deferredKey(job),
    }
    const others = queuesOf(known.stored).filter((other) => other !== queue)
    const waitingElsewhere = others.map((other) => keys.waiting(other, job.user))
    const own = keysOf(id, queue, job)
    const answer = toAnswer(await enqueue(on, own, args, fieldsOf(job), waitingElsewhere))
    events.asked(asked, answer)
    return answer
  }
}

function toAnswer([outcome, value]: Awaited<ReturnType<typeof enqueue>>): Accepted {
  if (outcome === "forgotten") throw new PayloadForgotten()
  if (outcome === "no_room" || outcome === "too_much") return { outcome: "full", of: outcome }
  if (outcome === "full") return { outcome, of: "waiting", waiting: Number(value) }
  return { outcome, id: value }
}

/** Named one by one: to copy every key of a job and of a queue costs as much as all else here. */
function keysOf(id: string, queue: string, job: NewJob) {
  const { wait, last, creating } = keys.project(queue)
  return {
    seen: keys.seen(job.idempotencyKey),
    same: keys.same(fingerprint(job.project, job.user, job.prompt)),
    job: keys.job(id),
    prompt: keys.prompt(id),
    userJobs: keys.user(job.user),
    wait,
    last,
    creating,
    carding: keys.carding,
    outbox: keys.outbox,
    thread: keys.thread(job.channel, job.thread ?? ""),
    reply: keys.reply(id),
    busy: busyKey(queue),
    room: keys.room,
    waiting: keys.waiting(queue, job.user),
  }
}

/** What else the record holds, name by value; see `job-record.ts`. */
function fieldsOf(job: NewJob): string[] {
  const { team, channel, thread, asked, first, previous, follows, prLink } = job
  const fields: string[] = []
  const add = (name: string, value: string | undefined) => void (value && fields.push(name, value))
  add("team", team)
  add("channel", channel)
  add("thread", thread)
  add("asked", asked)
  add("first", first)
  add("previous", previous)
  add("follows", follows)
  add("pr", prLink)
  if (job.hadPull) fields.push("hadPull", "1")
  if (job.isRetry) fields.push("retry", "1")
  if (job.quiet) fields.push("quiet", "1")
  return fields
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
