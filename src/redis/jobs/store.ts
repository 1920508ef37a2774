import { PayloadForgotten } from "../../jobs/deferred-payloads.ts"
import { NO_EVENTS } from "../../jobs/events.ts"
import { threadOf } from "../../jobs/job.ts"
import type { Draft, JobStore } from "../../jobs/ports.ts"
import { queueOf } from "../../jobs/queues.ts"
import { ignoreBroken, readable, typed } from "../broken.ts"
import { idSource } from "../id-source.ts"
import { CANCELLED_MS, jobKeys, KEEP_MS, keys, queueKeys, THREAD_MS } from "../keys.ts"
import { keepOwn } from "../own.ts"
import { called, SAME_NAMES, stored } from "../projects/names.ts"
import { endQueued, moveQueued } from "../queue/enqueue.lua.ts"
import { deferredKey, enqueuing, fingerprint, type QueueOptions } from "../queue/enqueue.ts"
import type { RedisClient } from "../script.ts"
import { fromDraft, toDraft } from "./draft-record.ts"
import { pollNow, reopen, unfollow } from "./poll-queue.lua.ts"
import { createJobReader } from "./reader.ts"

/** As long as Slack honours a modal's or a message's response_url, and a person remembers. */
const DRAFT_MS = 30 * 60_000
/** "Check now" at most this often for one job. */
const POLL_NOW_GAP_MS = 10_000

export function createJobStore(redis: RedisClient, options: QueueOptions): JobStore {
  const on = { redis, now: options.now }
  const newId = idSource()
  const { onBroken = ignoreBroken, names = SAME_NAMES, events = NO_EVENTS } = options
  const text = async (key: string) => (await typed(key, redis.get(key), onBroken)) ?? undefined

  const reader = createJobReader(redis, { names, onBroken })

  return {
    enqueue: enqueuing(on, { ...options, newId }),
    ...reader,

    async replyUrl(id) {
      return text(keys.reply(id))
    },

    async endQueued(job, ending, detail = "") {
      const queue = queueOf(stored(await names(), job))
      const own = { ...jobKeys(job.id), ...queueKeys(queue, job.user) }
      // Who took a request back may want it again soon, or not at all.
      const wordsMs = ending === "cancelled" ? CANCELLED_MS : KEEP_MS
      const args = { id: job.id, ending, detail, keepMs: KEEP_MS, wordsMs }
      const done = (await endQueued(on, own, args)) === 1
      if (done) events.ended(job, ending)
      return done
    },

    async move(job, target) {
      const known = await names()
      const waiting = stored(known, job)
      const { id, user, project: from } = waiting
      const project = known.storedAs(target)
      const to = queueKeys(project, user)
      const own = {
        ...jobKeys(id),
        ...queueKeys(queueOf(waiting), user),
        busy: to.busy,
        newWait: to.wait,
        newWaiting: to.waiting,
        newLast: to.last,
      }
      return (await moveQueued(on, own, { id, user, project, from })) === 1
    },

    async projectOf(channel) {
      const [known, chosen] = await Promise.all([names(), text(keys.use(channel))])
      return chosen && known.nameOf(chosen)
    },

    async useProject(channel, project) {
      await redis.set(keys.use(channel), (await names()).storedAs(project))
    },

    async unfollow(job) {
      const { id } = job
      const done = (await unfollow(on, jobKeys(id), { id, keepMs: KEEP_MS })) === 1
      if (done) events.ended(job, "unfollowed")
      return done
    },

    async reopen(job) {
      const { id, round, channel } = job
      const own = { ...jobKeys(id), thread: keys.thread(channel, threadOf(job) ?? "") }
      return (await reopen(on, own, { id, round, threadMs: THREAD_MS })) === 1
    },

    async pollNow({ id }) {
      const own = { ...jobKeys(id), turn: keys.rateLimit(`hurry:${id}`) }
      return pollNow(on, own, { id, gapMs: POLL_NOW_GAP_MS })
    },

    async saveDraft({ deferred, ...asked }) {
      const draft = stored(await names(), asked)
      const of = draftOf(draft)
      const id = (of && (await text(of))) || newId()
      const kept = {
        value: fromDraft(draft),
        keepMs: DRAFT_MS,
        deferred: deferredKey({ deferred }),
      }
      if (!(await keepOwn(on, draft.user, keys.draft(id), kept))) throw new PayloadForgotten()
      if (of) await redis.set(of, id, "PX", DRAFT_MS)
      return id
    },

    async confirmDraft(draft) {
      const of = draftOf(stored(await names(), draft))
      if (of) await redis.del(of)
    },

    async draft(id) {
      const key = keys.draft(id)
      const [known, record] = await Promise.all([names(), text(key)])
      if (record === undefined) return undefined
      return readable(key, () => called(known, toDraft(record)), onBroken)
    },

    async setQuiet(channel, root) {
      await redis.set(keys.quiet(channel, root), "1", "PX", THREAD_MS)
    },

    async isQuiet(channel, root) {
      return (await redis.exists(keys.quiet(channel, root))) === 1
    },
  }
}

/** Where a draft is found by what it asks; a form that is still empty is none. */
function draftOf({ project, user, channel, thread = "", prompt }: Draft): string | undefined {
  if (prompt.words === "") return undefined
  const place = JSON.stringify([project, channel, thread])
  return keys.draftOf(fingerprint(place, user, prompt))
}
