import { create } from "../store/commit.ts"
import { scoresOf } from "../store/limits.ts"
import type { JobsDeps } from "./deps.ts"
import type { Ask, Job } from "./job.ts"
import type { Found } from "./job-store.ts"
import { fairQueueOf, jobKeys } from "./keys.ts"
import { queuesOf } from "./limit/queues.ts"
import { askOf, hashOf, type NewRequest, newJob, notesOf, SAME_MS } from "./new-job.ts"
import { followedUp, MAX_FOLLOW_UPS, standingAsks } from "./transitions.ts"

/** Time in ms within which requests from one person may be a burst. */
const BURST_MS = 60_000
export type Submitted =
  | { outcome: "queued"; id: string }
  /** Repetition of a request within `SAME_MS`, which the person may want anyway. */
  | { outcome: "same"; id: string }
  | { outcome: "full"; of: "waiting" | "follow_ups"; waiting: number }
  | { outcome: "no_room" }

type Needed = "store" | "jobs" | "projectKeys" | "timing" | "auditDays" | "hasMessages" | "now"
export interface SubmitDeps extends Pick<JobsDeps, Needed> {
  limits: { maxQueuedPerUser: number }
  events: Pick<JobsDeps["events"], "asked">
}

/**
 * Accepts a request once per delivery and resolves when it is durable. If its thread has a job of
 * the same project, the request joins that job, or continues it in a new one if the pull request is
 * over or takes no follow-ups.
 */
export async function submit(deps: SubmitDeps, request: NewRequest): Promise<Submitted> {
  const answer = await accept(deps, request)
  deps.events.asked(request, answer)
  return answer
}

async function accept(
  deps: SubmitDeps,
  request: NewRequest,
  mayJoin = request.job === undefined,
): Promise<Submitted> {
  const latest = await latestInThread(deps, request)
  const answer = latest ? await followUp(deps, latest, request) : "new_job"
  if (answer !== "new_job") return answer
  const begun = await begin(deps, { ...request, continuesJob: latest?.id }, mayJoin)
  // Another request of the thread began a job at the same time, so this one joins it.
  return begun.outcome === "joins" ? accept(deps, request, false) : begun
}

async function latestInThread({ jobs }: SubmitDeps, request: NewRequest): Promise<Job | undefined> {
  const { channel, thread, project, job: id } = request
  const found = thread === undefined ? [] : await jobs.inThread(channel, thread)
  return found.find(({ job }) => (id === undefined ? job.project === project : job.id === id))?.job
}

/** Adds the request to a job; `new_job` if the job takes none or its pull request is over. */
async function followUp(
  deps: SubmitDeps,
  latest: Job,
  request: NewRequest,
): Promise<Submitted | "new_job"> {
  const { store } = deps
  const known = await store.redis.get(jobKeys.seen(request.delivery))
  if (known !== null) return { outcome: "queued", id: known }
  const same = request.anyway ? null : await store.redis.get(jobKeys.same(hashOf(request)))
  const id = same === null ? undefined : await spentJob(deps, same)
  if (id !== undefined) return { outcome: "same", id }
  return join(deps, latest, request)
}

/**
 * Resolves to the id of the request's job if the bot sent or will send the request; a cancelled one
 * may be sent again. @param same value of `jobKeys.same`
 */
async function spentJob({ jobs }: SubmitDeps, same: string): Promise<string | undefined> {
  const [id = "", ask] = same.split(" ")
  const holds = ({ job }: Pick<Found, "job">) => standingAsks(job).some((one) => one.id === ask)
  const found = await jobs.find(id)
  if (!found || holds(found)) return found?.job.id
  // It may have moved to another job of its thread.
  const { channel, thread, card = "" } = found.job
  return (await jobs.inThread(channel, thread ?? card)).find(holds)?.job.id
}

async function join(
  deps: SubmitDeps,
  { id, project }: Job,
  request: NewRequest,
): Promise<Submitted | "new_job"> {
  const { jobs } = deps
  const ask = askOf(request, await deps.now())
  const hasMessages = await deps.hasMessages(project)
  const ops = notesOf(deps, { request, ask }, id, ask.at)
  const hash = hashOf(request)
  const changed = await jobs.change<"new_job" | "full" | "known" | "same">(
    id,
    ({ job, prompts, now }) => {
      if (job.asks.some((one) => one.id === ask.id)) return "known"
      // Finds what was written since `same` was read: several at once must not all go through.
      const isSame = ({ id: of, user, at }: Ask) =>
        prompts[of] && now - at < SAME_MS && hashOf({ project, user, prompt: prompts[of] }) === hash
      if (!request.anyway && standingAsks(job).some(isSame)) return "same"
      const change = followedUp(job, { ask, hasMessages, now })
      return typeof change === "string"
        ? change
        : { ...change, prompts: { [ask.id]: request.prompt }, ops }
    },
  )
  if (changed === undefined || changed === "new_job") return "new_job"
  if (changed === "same") return { outcome: "same", id }
  if (changed === "full") return { outcome: "full", of: "follow_ups", waiting: MAX_FOLLOW_UPS }
  return { outcome: "queued", id }
}

/**
 * Returns the delay in ms of a card. Cards of one person are spaced, so that bulk requests do not
 * delay other people's cards. After a failover to a Redis with a slower clock, earlier requests can
 * lie ahead. Pure. @param earlier times of the person's requests, oldest first
 */
export function cardDelay(earlier: readonly number[], at: number, apartMs: number): number {
  const free = earlier.reduce((free, asked) => Math.max(free, Math.min(asked, at)) + apartMs, 0)
  return Math.max(0, free - at)
}

/**
 * Stores a new job.
 * @param mayJoin whether to store nothing if the thread has a newer job than `continuesJob`
 * @param unsent an equal request that was cancelled, as `jobKeys.same` holds it
 */
async function begin(
  deps: SubmitDeps,
  request: NewRequest,
  mayJoin: boolean,
  unsent?: string,
): Promise<Submitted | { outcome: "joins" }> {
  const { project, channel, user, thread, continuesJob, delivery } = request
  const at = await deps.now()
  const recent = await scoresOf(deps.store, jobKeys.ofUser(user), at - BURST_MS)
  const times = recent.map(({ score }) => score)
  const inMs = cardDelay(times, at, deps.timing.rates.channelPost[0])
  const { id, ...writing } = newJob(deps, [{ request, ask: askOf(request, at) }], { at, inMs })
  const newest = thread === undefined ? undefined : jobKeys.newest(project, channel, thread)
  const same = { key: jobKeys.same(hashOf(request)), answer: "same", except: unsent }
  const [outcome, found] = await create(deps.store, writing, {
    taken: [
      { key: jobKeys.seen(delivery), answer: "known" },
      ...(request.anyway ? [] : [same]),
      ...(mayJoin && newest ? [{ key: newest, answer: "joins", except: continuesJob }] : []),
    ],
    full: waitingLimit(deps, user),
  })
  if (outcome === "full") return { outcome, of: "waiting", waiting: Number(found) }
  if (outcome === "no_room" || outcome === "joins") return { outcome }
  if (outcome !== "same") return { outcome: "queued", id: found || id }
  const spent = await spentJob(deps, found)
  if (spent !== undefined) return { outcome, id: spent }
  return begin(deps, request, mayJoin, found)
}

/** Returns how many jobs may wait for a person, and where to count them: in every queue. */
function waitingLimit({ projectKeys, limits }: SubmitDeps, user: string) {
  const keys = queuesOf(projectKeys).map((queue) => fairQueueOf(queue, user).waiting)
  return { keys, most: limits.maxQueuedPerUser }
}

/** Resolves to the number of a person's waiting jobs, unless another one may wait. */
export async function waitingIfFull(deps: SubmitDeps, user: string): Promise<number | undefined> {
  const { keys, most } = waitingLimit(deps, user)
  const counts = await Promise.all(keys.map((key) => deps.store.redis.zcard(key)))
  const waiting = counts.reduce((sum, count) => sum + count, 0)
  return waiting < most ? undefined : waiting
}
