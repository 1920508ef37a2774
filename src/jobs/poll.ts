import { DocsError, orDocsError } from "../errors/docs-error.ts"
import type { AgentJob, DocsApi } from "../ports/docs-api.ts"
import { UNTIL_WOKEN } from "../runtime/alarm.ts"
import { raceAbort } from "../runtime/race-abort.ts"
import type { Followed, Observation } from "./job.ts"
import { observe } from "./observe.ts"
import type { PollPolicy } from "./poll-interval.ts"
import type { PollLessons } from "./service-health.ts"
import type { PollQueue } from "./worker-ports.ts"

/**
 * Jobs in one claim, and how many claims are worked on at a time: while one waits for Redis, the
 * requests of the others are in flight. Their product is the most that a worker has leased.
 */
const BATCH = 32
const LANES = 3
/** After this many batches a lane waits for the others, so that a failure in any of them surfaces. */
const BATCHES_IN_A_PASS = 100

/** One pass: polls every job that is due. Returns how long to rest, ms. */
export async function pollPass(
  deps: PollDeps,
  policy: PollPolicy,
  onPoll: OnPoll = () => {},
): Promise<number> {
  const first = await deps.queue.claim(BATCH)
  // Mostly little or nothing is due, and then one claim is enough.
  const count = isFull(first) ? LANES : 1
  const lanes = Array.from({ length: count }, async (_, n) =>
    pollLane(n === 0 ? first : await deps.queue.claim(BATCH), deps, policy, onPoll),
  )
  const ends = await Promise.allSettled(lanes)
  const failed = ends.find((end) => end.status === "rejected")
  if (failed) throw failed.reason
  const busy = ends.some((end) => end.status === "fulfilled" && end.value === "busy")
  return busy ? 0 : UNTIL_WOKEN
}

type Batch = Awaited<ReturnType<PollQueue["claim"]>>

function isFull({ jobs }: Batch): boolean {
  return jobs.length === BATCH
}

/** One batch after the other, for as long as there are enough jobs to fill one. */
async function pollLane(
  first: Batch,
  deps: PollDeps,
  policy: PollPolicy,
  onPoll: OnPoll,
): Promise<"busy" | "idle"> {
  const { queue, signal } = deps
  let batch = first
  for (let n = 1; batch.jobs.length > 0; n += 1) {
    const { waits, news } = await pollBatch(batch, deps, policy, onPoll)
    const goesOn = isFull(batch) && !signal.aborted
    const settled = [queue.reschedule(batch.lease, waits), ...news]
    if (!goesOn || n === BATCHES_IN_A_PASS) {
      await Promise.all(settled)
      return goesOn ? "busy" : "idle"
    }
    // Sent together with the settling: while jobs are due, a batch is one round trip.
    ;[batch] = await Promise.all([queue.claim(BATCH), ...settled])
  }
  return "idle"
}

async function pollBatch(
  { now, lease, jobs }: Batch,
  deps: PollDeps,
  policy: PollPolicy,
  onPoll: OnPoll,
) {
  const { queue, random, signal } = deps
  const claimedAt = performance.now()
  // Whatever is not asked about before the process stops is due again at once.
  const waits = new Map(jobs.map(({ id }) => [id, 0]))
  const news: Promise<boolean>[] = []
  const asking = jobs.map(async (job) => {
    const { answer, isGone } = await askAbout(job, deps)
    if (signal.aborted) return
    const at = now + performance.now() - claimedAt
    const found = observe(job, answer, policy, { now: at, random: random(), isGone })
    onPoll(job, answer instanceof DocsError ? answer.fault : "ok", found)
    waits.set(job.id, found.waitMs)
    if (!isNews(job, found)) return
    waits.delete(job.id)
    const told = tell(deps, job, found, (news) => queue.record(lease, job, news))
    // Its failure surfaces when the batch is settled; until then it must not count as unhandled,
    // which ends the process.
    told.catch(() => {})
    news.push(told)
  })
  await raceAbort(signal, Promise.all(asking), undefined)
  return { news, waits: [...waits].map(([id, waitMs]) => ({ id, waitMs })) }
}

/** A failure affects only its own job: an error of whatever kind counts as no answer. */
async function askAbout(
  job: Followed,
  { docs, lessons, signal, onFailed }: PollDeps,
): Promise<{ answer: AgentJob | DocsError; isGone: boolean }> {
  try {
    const answer = await docs.getJob(job.project, job.agentJobId ?? "").catch(orDocsError)
    return { answer, isGone: signal.aborted ? false : await lessons.heed(job, answer) }
  } catch (cause) {
    onFailed(job, cause)
    const answer = new DocsError({ operation: "get job", fault: "server_error" }, { cause })
    return { answer, isGone: false }
  }
}

/** Told of every poll: what the service said, and what it means for the job. */
type OnPoll = (job: Followed, result: "ok" | DocsError["fault"], found: Observation) => void

interface PollDeps {
  queue: PollQueue
  docs: Pick<DocsApi, "getJob">
  lessons: PollLessons
  random: () => number
  /** Called with unexpected errors. */
  onFailed: (job: Followed, error: unknown) => void
  /** False where the deployment is known to build no previews: the branch is of no use there. */
  hasPreviews?: (project: string) => Promise<boolean>
  /** Called when a pull request is reported, before it is stored, so a failure here is retried. */
  onLink?: ((job: Followed, prLink: string) => Promise<void>) | undefined
  /** Aborted when the process stops: a poll changes nothing, so the next process asks instead. */
  signal: AbortSignal
}

async function tell(
  { onLink, hasPreviews }: PollDeps,
  job: Followed,
  found: Observation,
  record: (news: Observation) => Promise<boolean>,
): Promise<boolean> {
  if (found.prLink !== undefined) await onLink?.(job, found.prLink)
  if (found.branch === undefined || !hasPreviews) return record(found)
  if (await hasPreviews(job.project)) return record(found)
  return record({ ...found, branch: undefined })
}

function isNews(job: Followed, found: Observation): boolean {
  return (
    found.ending !== undefined ||
    found.misses !== job.misses ||
    (found.isReactivated === true && !job.isReactivated) ||
    (found.prLink !== undefined && found.prLink !== job.prLink)
  )
}
