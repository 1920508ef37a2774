import { askOf, followedUp, newJob, notesOf } from "../jobs/begin-round.ts"
import type { NewJob } from "../jobs/change.ts"
import type { Context } from "../jobs/context.ts"
import { replaced } from "../jobs/end-round.ts"
import type { Job } from "../jobs/job.ts"
import { fairQueueOf, jobKeys, queuesOf } from "../jobs/job-keys.ts"
import type { NewRequest, Submitted } from "../jobs/request-record.ts"
import type { Ask } from "../jobs/round-record.ts"
import { allAsks, MAX_FOLLOW_UPS, MAX_ROUND_BYTES } from "../jobs/rounds.ts"
import { REPEATED_WITHIN_MS } from "../slack/intake.ts"
import type { Op, Unless } from "../store/commit.ts"
import { scoresOf } from "../store/schedule-and-leases.ts"
import { currentTime } from "../store/script.ts"
import { jobOfSame, noteSame, unlessSame } from "./same-request.ts"

/** Time in ms within which requests from one person may be a burst. */
const BURST_MS = 60_000

/** Answers of `commit` for a request that it does not store. */
type Refused = "known" | "same" | "joins" | "full" | "no_room"

/**
 * Accepts a request once per delivery and resolves when it is durable. It joins the job that it is
 * about, or the thread's latest of the same project, or continues that one in a new job if the pull
 * request is over or takes no follow-ups.
 */
export async function submit(context: Context, request: NewRequest): Promise<Submitted> {
  const answer = await storeRequest(context, request)
  context.events.asked(request, answer)
  return answer
}

/**
 * Stores the request in its job or, if that takes none, in a new one.
 * @param mayJoin whether it may join a job that another request of its thread begins meanwhile
 * @param unsent a request that was equal until it was cancelled or edited, as `jobKeys.same` holds it:
 * the only note that may be passed over, so this ends
 */
async function storeRequest(
  context: Context,
  request: NewRequest,
  mayJoin = request.job === undefined,
  unsent?: string,
): Promise<Submitted> {
  const { delivery, anyway } = request
  const taken = [
    { key: jobKeys.seen(delivery), answer: "known" },
    ...(anyway ? [] : unlessSame(request, unsent)),
  ]
  const meant = await jobInThread(context, request)
  const joined = meant && (await join(context, meant, request, taken))
  if (joined) return joined
  const continuing = { ...request, continuesJob: meant?.id }
  const [answer, found] = await begin(context, continuing, taken, mayJoin)
  switch (answer) {
    case "full":
      return tooManyWait(context)
    case "no_room":
      return { outcome: "no_room" }
    case "joins":
      return storeRequest(context, request, false, unsent)
    case "same": {
      const id = await jobOfSame(context, request, found)
      return id ? { outcome: "same", id } : storeRequest(context, request, mayJoin, found)
    }
    case "known":
      return { outcome: "known", id: found }
    default:
      return { outcome: "queued", id: found }
  }
}

function tooManyWait({ settings }: Context): Submitted {
  return { outcome: "full", of: "waiting", most: settings.limits.maxQueuedPerUser }
}

/** Returns the job that the request is about, if it has that project, or the thread's latest. */
async function jobInThread({ jobs }: Context, request: NewRequest): Promise<Job | undefined> {
  const { channel, thread, project, job: id, replaces = [] } = request
  const found = thread === undefined ? [] : await jobs.inThread(channel, thread)
  const ofProject = found.map(({ job }) => job).filter((job) => job.project === project)
  if (id === undefined) return ofProject[0]
  // *Run again* may have moved the replaced ones to another job while the form was open.
  const holder = ofProject.find((job) => allAsks(job).some((ask) => replaces.includes(ask.id)))
  return holder ?? ofProject.find((job) => job.id === id)
}

/**
 * Returns the notes by which a repetition is recognized: by Slack, then by the person. The delivery
 * comes last, so that Slack's retry still counts if an earlier write fails.
 */
function received(request: NewRequest, job: string, ask: Ask): Op[] {
  const seen = jobKeys.seen(request.delivery)
  return [
    noteSame(request, job, ask.id),
    { do: "put", key: seen, value: job, keepMs: REPEATED_WITHIN_MS },
  ]
}

/** Adds the request to a job; undefined if the job takes no more or the request is `taken`. */
async function join(
  context: Context,
  { id, project }: Job,
  request: NewRequest,
  taken: Unless["taken"],
): Promise<Submitted | undefined> {
  const ask = askOf(request, await currentTime(context.store))
  const hasMessages = await context.docs.deployment.offersMessages(project)
  const ops = [
    ...notesOf(context.settings.auditDays, { request, ask }, id, ask.at),
    ...received(request, id, ask),
  ]
  const changed = await context.jobs.change<Refused | "new_job" | "too_many" | "too_long">(
    id,
    ({ job, now }) => {
      // A request that Slack repeats must not find its own round full.
      if (allAsks(job).some((known) => known.id === ask.id)) return "known"
      const { replaces = [] } = request
      const out = replaced(job, replaces)
      const change = followedUp({ ...job, ...out.set }, { ask, hasMessages, now })
      if (typeof change === "string") return change
      const forget = [...(change.forget ?? []), ...(out.forget ?? [])]
      const set = { ...out.set, ...change.set }
      const prompts = { [ask.id]: request.prompt }
      // One that waits for a running round has the round's own bound.
      const begins = job.state === "ended" && change.set?.state === "queued"
      const full = begins ? { full: waitingLimit(context, request.user) } : {}
      return { ...change, set, forget, prompts, ops, unless: { taken, ...full } }
    },
  )
  if (changed === "full") return tooManyWait(context)
  if (changed === "no_room") return { outcome: "no_room" }
  if (changed === "too_many") return { outcome: "full", of: "follow_ups", most: MAX_FOLLOW_UPS }
  if (changed === "too_long") return { outcome: "full", of: "bytes", most: MAX_ROUND_BYTES }
  if (changed === "known") {
    const seen = await context.store.redis.get(jobKeys.seen(request.delivery))
    return { outcome: "known", id: seen ?? id }
  }
  return typeof changed === "object" ? { outcome: "queued", id } : undefined
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

/** Stores a new job. Resolves to its id, or to why there is none: see `commit`. */
async function begin(
  context: Context,
  request: NewRequest,
  taken: Unless["taken"],
  mayJoin: boolean,
): Promise<[answer: string, holder: string]> {
  const { project, channel, user, thread, continuesJob } = request
  const at = await currentTime(context.store)
  const recent = await scoresOf(context.store, jobKeys.ofUser(user), at - BURST_MS)
  const times = recent.map(({ score }) => score)
  const inMs = cardDelay(times, at, context.settings.timing.rates.channelPost[0])
  const ask = askOf(request, at)
  const prompts = { [ask.id]: request.prompt }
  const made = newJob(context.settings.auditDays, [{ request, ask }], { at, inMs, prompts })
  const { id } = made.job
  const ops = [...made.ops, ...received(request, id, ask)]
  const newest = mayJoin && thread ? [jobKeys.newest(project, channel, thread)] : []
  const joins = newest.map((key) => ({ key, answer: "joins", except: continuesJob }))
  const unless = { taken: [...taken, ...joins], full: waitingLimit(context, user) }
  const [answer, found] = await create(context, request, { ...made, ops }, unless)
  return [answer, found || id]
}

/**
 * Stores a new job and in the same step drops the requests that it replaces, so that it quotes none
 * of them as earlier work, and all of them stay if it is refused.
 */
async function create(
  { jobs }: Context,
  { continuesJob, replaces }: NewRequest,
  creates: NewJob,
  unless: Unless,
): Promise<[answer: string, holder: string]> {
  if (continuesJob === undefined || !replaces) return jobs.add(creates, unless)
  // The form with an edit sends it anyway, so no equal request refuses it.
  const changed = await jobs.change<Exclude<Refused, "same">>(continuesJob, ({ job }) => ({
    ...replaced(job, replaces),
    creates,
    unless,
  }))
  if (changed === "gone") return jobs.add(creates, unless)
  return typeof changed === "string" ? [changed, continuesJob] : ["done", ""]
}

/** Returns how many jobs may wait for a person, and the queues whose entries `commit` counts. */
export function waitingLimit({ settings }: Pick<Context, "settings">, user: string) {
  const queues = queuesOf(settings.projects.keys).map((queue) => fairQueueOf(queue, user))
  return { queues, most: settings.limits.maxQueuedPerUser }
}
