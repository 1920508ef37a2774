import { againAfter, MOST_FAILURES } from "../config/timing.ts"
import { SlackError } from "../errors/slack-error.ts"
import { UNTIL_WOKEN } from "../runtime/alarm.ts"
import type { InFlight } from "../runtime/in-flight.ts"
import { raceAbort, stopwatch } from "../runtime/time.ts"
import { currentAsks, type Job, type QueuePlace } from "./job.ts"
import type { Held } from "./job-store.ts"
import { type Drawn, hasResult, nextStep, recipientsOf } from "./next-step.ts"
import { hasMoved } from "./places.ts"
import { firstWords } from "./prompt.ts"
import { queueOf } from "./queues.ts"
import { type After, STEPS, type StepDeps } from "./steps.ts"
import { told } from "./write.ts"

const BATCH = 20
/** The detail of a job whose card could not be written for a reason of ours. */
const BROKEN = "broken_here"

interface DeliveryDeps extends StepDeps {
  /** Aborted when the process cannot wait for Slack any longer. */
  forceStop: AbortSignal
  inFlight: InFlight
  leaseMs: number
  /** A post or an edit is begun only within this time after the claim, ms: the lease must outlast its timeout. */
  postWithinMs: number
  /** Slack's limits over all processes: 0 when the turn is taken, else ms to wait. */
  rateLimit: (kind: "post" | "edit" | "answer", channel: string) => Promise<number>
  /** Places of the waiting jobs of a queue right now. */
  places: (queue: string) => Promise<ReadonlyMap<string, QueuePlace>>
  /** Told of unexpected errors. @param failures in a row, this one included */
  onFailed: (job: Job, error: unknown, failures: number) => void
}

/** One pass over what there is to say. Returns how long to rest, ms. */
export async function deliveryPass(deps: DeliveryDeps): Promise<number> {
  const sinceClaim = stopwatch()
  const { jobs, inFlight, forceStop } = deps
  const claimed = await jobs.claim("outbox", BATCH, deps.leaseMs)
  inFlight.begin(claimed.length)
  const pass: Pass = {
    places: new Map(),
    crowd: new Map(),
    inTime: () => sinceClaim() < deps.postWithinMs,
  }
  await Promise.all(
    claimed.map(async (held) => {
      const delivering = deliver(deps, held, pass).catch((error: unknown) =>
        afterFailure(deps, held, error),
      )
      try {
        // A call in progress may still post, so the next process looks for the message first.
        const again = await raceAbort(forceStop, delivering, deps.tries.lookUpAgainMs)
        if (again !== "lost")
          await jobs.settle("outbox", held.lease, [{ id: held.job.id, againMs: again }])
      } finally {
        inFlight.end()
      }
    }),
  )
  return claimed.length === BATCH ? 0 : UNTIL_WOKEN
}

/** Facts that the jobs of one pass share. */
interface Pass {
  places: Map<string, Promise<ReadonlyMap<string, QueuePlace>>>
  /** How many jobs of this pass wait for the same limit of Slack's. */
  crowd: Map<string, number>
  inTime: () => boolean
}

/** Takes the next step for one job, or waits until Slack's rate limit allows it. */
async function deliver(deps: DeliveryDeps, held: Held, pass: Pass): Promise<After> {
  const { job } = held
  const drawn = draw(deps, held, await placeOf(deps, held, pass))
  const step = nextStep(job, drawn)
  if (step === "none") return "done"
  const { limit, take, giveUp } = STEPS[step]
  // Everybody has muted it: it counts as told.
  const isForNobody = step === "result" || step === "review"
  if (isForNobody && recipientsOf(job).length === 0) return giveUp(deps, held, drawn, "")
  if (limit) {
    const kind = limit === "edit" && job.isAnswer ? "answer" : limit
    const line = step === "private" ? job.user : job.channel
    const waitMs = await deps.rateLimit(kind, line)
    if (waitMs > 0) return queueUp(pass.crowd, `${kind}:${line}`, waitMs)
    if (!pass.inTime()) return 0
  }
  try {
    return await take(deps, held, drawn)
  } catch (error) {
    if (!(error instanceof SlackError)) throw error
    if (error.verdict === "unknown") return deps.tries.lookUpAgainMs
    if (error.verdict === "give_up") return giveUp(deps, held, drawn, error.code)
    if (job.posting !== undefined) await deps.jobs.change(job.id, () => NOT_POSTING)
    return error.retryAfterMs ?? deps.tries.laterMs
  }
}

const NOT_POSTING = { set: { posting: undefined } }

/** Draws the messages as they would be written now. */
function draw(
  { messages }: DeliveryDeps,
  { job, words, now }: Held,
  place: QueuePlace | undefined,
): Drawn {
  const first = firstWords(job, words)
  const name = words[job.asks[0]?.id ?? ""]?.speaker
  // Words are forgotten before a pull request is: the card then keeps what it shows.
  const stays = first === "" && job.state === "ended" && !job.isForgotten && job.shown !== undefined
  return {
    card: stays ? undefined : messages.card({ job, words: first, name, place, now }),
    result: hasResult(job) ? messages.result(job, job.result?.users ?? []) : undefined,
    place,
  }
}

async function placeOf(
  deps: DeliveryDeps,
  { job, now }: Held,
  { places }: Pass,
): Promise<QueuePlace | undefined> {
  const asked = Math.max(...currentAsks(job).map(({ at }) => at))
  // A request that may still be taken back shows that instead: its place is drawn once it is over.
  if (job.state !== "queued" || (job.from ?? asked + deps.delayMs) > now) return undefined
  const queue = queueOf(job)
  // A queue is read once per pass, and only when a waiting job of it is shown.
  const known = places.get(queue) ?? deps.places(queue)
  places.set(queue, known)
  const is = (await known).get(job.id)
  // The one before is shown as long as it is true enough.
  return is && job.place && !hasMoved(job.place, is) ? job.place : is
}

/** Jobs that wait for the same limit come back one after another, not all at once. */
function queueUp(crowd: Map<string, number>, line: string, waitMs: number): number {
  const ahead = crowd.get(line) ?? 0
  crowd.set(line, ahead + 1)
  return waitMs * (ahead + 1)
}

/**
 * An unexpected error: this attempt failed, for this job alone. It is repeated at growing intervals and
 * given up in the end, as a record that breaks a message does so every time.
 */
async function afterFailure(deps: DeliveryDeps, held: Held, error: unknown): Promise<After> {
  const { job } = held
  const failures = job.failures + 1
  deps.onFailed(job, error, failures)
  const isLast = failures > MOST_FAILURES
  await deps.jobs.change(job.id, () => ({ set: { failures: isLast ? 0 : failures } }))
  if (!isLast) return againAfter(deps.tries, job.failures)
  if (job.card !== undefined && job.result?.round !== job.round) return told(deps, job)
  const step = job.card === undefined ? STEPS.card : STEPS.edit
  return step.giveUp(deps, held, {}, BROKEN)
}
