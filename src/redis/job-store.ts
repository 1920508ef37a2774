import { fingerprint } from "../jobs/fingerprint.ts"
import type { Job } from "../jobs/job.ts"
import type { Accepted, JobStore, NewJob } from "../jobs/ports.ts"
import { ignoreBroken, type OnBroken, readable, typed } from "./broken.ts"
import { fromDraft, toDraft } from "./draft-record.ts"
import { idSource } from "./id-source.ts"
import { fromPrompt, toJob, toPrompt } from "./job-record.ts"
import { JOB_PREFIX, keys } from "./keys.ts"
import { type Now, nowArgument, type RedisClient } from "./script.ts"
import { endQueued, enqueue, moveQueued } from "./scripts/accept.ts"
import { hurry, reopen, unfollow } from "./scripts/follow.ts"
import { keepOwn } from "./scripts/own.ts"

const DAY_MS = 86_400_000
/** Ended jobs and their prompts stay this long, for "Try again", follow-ups and `status`. */
export const KEEP_MS = 7 * DAY_MS
/** A follow-up finds its thread this long. */
export const THREAD_MS = 30 * DAY_MS
/** Slack's delayed events come up to 24 h late, so a delivery is remembered for longer than that. */
const SEEN_MS = 25 * 3_600_000
/** The product's rule: the same prompt within 15 minutes is asked about first. */
const SAME_MS = 15 * 60_000
/** As long as Slack honours a modal's or a message's response_url, and a person remembers. */
const DRAFT_MS = 30 * 60_000
/** "Check now" at most this often for one job. */
const HURRY_GAP_MS = 10_000

export function createJobStore(
  redis: RedisClient,
  options: { maxQueuedPerUser: number; onBroken?: OnBroken; now?: Now },
): JobStore {
  const at = () => nowArgument(options.now)
  const newId = idSource()
  const { onBroken = ignoreBroken } = options
  const text = async (key: string) => (await typed(key, redis.get(key), onBroken)) ?? undefined

  async function enqueueJob(job: NewJob): Promise<Accepted> {
    const id = newId()
    const project = keys.project(job.project)
    const [outcome, value] = await enqueue(
      redis,
      [
        keys.seen(job.idempotencyKey),
        keys.same(fingerprint(job.project, job.user, job.prompt.words)),
        keys.job(id),
        keys.prompt(id),
        keys.user(job.user),
        keys.waiting(job.project, job.user),
        project.wait,
        project.last,
        project.creating,
        keys.carding,
        keys.outbox,
        keys.thread(job.channel, job.thread ?? ""),
        keys.reply(id),
        keys.busy,
      ],
      [
        at(),
        id,
        job.user,
        options.maxQueuedPerUser,
        job.anyway ? "1" : "",
        SEEN_MS,
        SAME_MS,
        job.thread ? THREAD_MS : "",
        KEEP_MS,
        fromPrompt(job.prompt),
        job.replyUrl ?? "",
        JOB_PREFIX,
        job.project,
        "team",
        job.team,
        "channel",
        job.channel,
        ...(job.thread ? ["thread", job.thread] : []),
        ...(job.asked ? ["asked", job.asked] : []),
        ...(job.first ? ["first", job.first] : []),
        ...(job.follows ? ["follows", job.follows] : []),
        ...(job.quiet ? ["quiet", "1"] : []),
      ],
    )
    return outcome === "full" ? { outcome, waiting: Number(value) } : { outcome, id: value }
  }

  async function get(id: string): Promise<Job | undefined> {
    const key = keys.job(id)
    const hash = (await typed(key, redis.hgetall(key), onBroken)) ?? {}
    if (Object.keys(hash).length === 0) return undefined
    return readable(key, () => toJob(id, hash), onBroken)
  }

  return {
    enqueue: enqueueJob,
    get,

    async prompt(id) {
      const key = keys.prompt(id)
      const stored = await text(key)
      return stored === undefined ? undefined : readable(key, () => toPrompt(id, stored), onBroken)
    },

    async replyUrl(id) {
      return text(keys.reply(id))
    },

    async ofUser(user, limit) {
      const key = keys.user(user)
      const newest = redis.zrange(key, "0", String(limit - 1), "REV")
      const jobs = await Promise.all(((await typed(key, newest, onBroken)) ?? []).map(get))
      return jobs.filter((job) => job !== undefined)
    },

    async inThread(channel, root) {
      const id = await text(keys.thread(channel, root))
      return id === undefined ? undefined : get(id)
    },

    async endQueued(job, ending, detail = "") {
      const { wait, last } = keys.project(job.project)
      const waiting = keys.waiting(job.project, job.user)
      const own = [keys.job(job.id), wait, waiting, keys.carding, keys.outbox, keys.prompt(job.id)]
      const args = [at(), job.id, ending, detail, KEEP_MS]
      return (await endQueued(redis, [...own, last], args)) === 1
    },

    async move(job, project) {
      const [from, to] = [keys.project(job.project), keys.project(project)]
      const own = [
        keys.job(job.id),
        from.wait,
        keys.waiting(job.project, job.user),
        to.wait,
        keys.waiting(project, job.user),
        to.last,
        keys.carding,
        keys.outbox,
        keys.busy,
      ]
      return (await moveQueued(redis, own, [at(), job.id, job.user, project, job.project])) === 1
    },

    async projectOf(channel) {
      return text(keys.use(channel))
    },

    async useProject(channel, project) {
      await redis.set(keys.use(channel), project)
    },

    async unfollow(job) {
      return (await unfollow(redis, followKeys(job), [at(), job.id, KEEP_MS])) === 1
    },

    async reopen(job) {
      return (await reopen(redis, followKeys(job), [at(), job.id, job.round])) === 1
    },

    async hurry(job) {
      const own = [keys.job(job.id), keys.due, keys.turn(`hurry:${job.id}`)]
      return hurry(redis, own, [at(), job.id, HURRY_GAP_MS])
    },

    async saveDraft(draft) {
      const id = newId()
      const own = [keys.draft(id), keys.own(draft.user)]
      await keepOwn(redis, own, [at(), fromDraft(draft), DRAFT_MS])
      return id
    },

    async draft(id) {
      const key = keys.draft(id)
      const stored = await text(key)
      return stored === undefined ? undefined : readable(key, () => toDraft(stored), onBroken)
    },

    async setQuiet(channel, root) {
      await redis.set(keys.quiet(channel, root), "1", "PX", THREAD_MS)
    },

    async isQuiet(channel, root) {
      return (await redis.exists(keys.quiet(channel, root))) === 1
    },
  }
}

function followKeys(job: Job): string[] {
  return [keys.job(job.id), keys.due, keys.outbox, keys.prompt(job.id)]
}
