import { againAfter, MOST_FAILURES } from "../config/timing.ts"
import { SlackError } from "../errors/slack-error.ts"
import { UNTIL_WOKEN } from "../runtime/alarm.ts"
import { raceAbort, stopwatch } from "../runtime/time.ts"
import { takeTurn } from "../slack/rates.ts"
import type { JobsDeps } from "./deps.ts"
import type { Stop } from "./dispatch.ts"
import { currentAsks, type QueuePlace } from "./job.ts"
import type { Held } from "./job-store.ts"
import { type Drawn, hasResult, nextStep, recipientsOf } from "./next-step.ts"
import { hasMoved } from "./places.ts"
import { firstWords } from "./prompt.ts"
import { placesIn } from "./queue-facts.ts"
import { queueOf } from "./queues.ts"
import { type After, STEPS } from "./steps.ts"
import { told } from "./write.ts"

const BATCH = 20
/** The detail of a job whose card could not be written for a reason of ours. */
const BROKEN = "broken_here"

/** One pass over what there is to say. Returns how long to rest, ms. */
export async function deliveryPass(
  deps: JobsDeps,
  { forceStop }: Pick<Stop, "forceStop">,
): Promise<number> {
  const sinceClaim = stopwatch()
  const { jobs, inFlight, timing } = deps
  const claimed = await jobs.claim("outbox", BATCH, timing.leaseMs)
  inFlight.begin(claimed.length)
  const pass: Pass = {
    places: new Map(),
    crowd: new Map(),
    // The lease must outlast the timeout of a post or an edit.
    inTime: () => sinceClaim() < timing.leaseMs / 2,
  }
  await Promise.all(
    claimed.map(async (held) => {
      const delivering = deliver(deps, held, pass).catch((error: unknown) =>
        afterFailure(deps, held, error),
      )
      try {
        // A call in progress may still post, so the next process looks for the message first.
        const again = await raceAbort(forceStop, delivering, deps.timing.tries.lookUpAgainMs)
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
  /** The number of jobs of this pass that wait for the same limit of Slack's. */
  crowd: Map<string, number>
  inTime: () => boolean
}

/** Takes the next step for one job, or waits until Slack's rate limit allows it. */
async function deliver(deps: JobsDeps, held: Held, pass: Pass): Promise<After> {
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
    const waitMs = await takeTurn(deps.store, deps.timing.rates, kind, line)
    if (waitMs > 0) return queueUp(pass.crowd, `${kind}:${line}`, waitMs)
    if (!pass.inTime()) return 0
  }
  try {
    return await take(deps, held, drawn)
  } catch (error) {
    if (!(error instanceof SlackError)) throw error
    if (error.verdict === "unknown") return deps.timing.tries.lookUpAgainMs
    if (error.verdict === "give_up") return giveUp(deps, held, drawn, error.code)
    if (job.posting !== undefined) await deps.jobs.change(job.id, () => NOT_POSTING)
    return error.retryAfterMs ?? deps.timing.tries.laterMs
  }
}

const NOT_POSTING = { set: { posting: undefined } }

/** Draws the messages as they would be written now. */
function draw(
  { messages }: JobsDeps,
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
  deps: JobsDeps,
  { job, now }: Held,
  { places }: Pass,
): Promise<QueuePlace | undefined> {
  const asked = Math.max(...currentAsks(job).map(({ at }) => at))
  // A request that may still be taken back shows that instead: its place is drawn once it is over.
  if (job.state !== "queued" || (job.from ?? asked + deps.delayMs) > now) return undefined
  const queue = queueOf(job)
  // A queue is read once per pass, and only when a waiting job of it is shown.
  const known = places.get(queue) ?? placesIn(deps, queue)
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
async function afterFailure(deps: JobsDeps, held: Held, error: unknown): Promise<After> {
  const { job } = held
  const failures = job.failures + 1
  deps.events.deliveryFailed(job, error, failures)
  const isLast = failures > MOST_FAILURES
  await deps.jobs.change(job.id, () => ({ set: { failures: isLast ? 0 : failures } }))
  if (!isLast) return againAfter(deps.timing.tries, job.failures)
  if (job.card !== undefined && job.result?.round !== job.round) return told(deps, job)
  const step = job.card === undefined ? STEPS.card : STEPS.edit
  return step.giveUp(deps, held, {}, BROKEN)
}
