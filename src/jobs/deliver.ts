import { SLACK_TRIES } from "../config/timing.ts"
import { UNTIL_WOKEN } from "../runtime/alarm.ts"
import type { InFlight } from "../runtime/in-flight.ts"
import { raceAbort } from "../runtime/race-abort.ts"
import { stopwatch } from "../runtime/stopwatch.ts"
import { afterFailure } from "./delivery-failure.ts"
import type { Job, QueuePlace } from "./job.ts"
import { isEdit, nextStep, type Step } from "./next-step.ts"
import { hasMoved } from "./places.ts"
import { queueOf } from "./queues.ts"
import type { DeliveryResult, OutboxEntry } from "./worker-ports.ts"
import { type WriteDeps, writeStep } from "./write.ts"

const BATCH = 20

export interface DeliveryDeps extends WriteDeps {
  /** Aborted when the process cannot wait for Slack any longer. */
  forceStop: AbortSignal
  inFlight: InFlight
  /** Called with unexpected errors. @param failures in a row, this one included */
  onFailed: (job: Job, error: unknown, failures: number) => void
  /** Where the waiting jobs of a queue stand right now. */
  places(queue: string): Promise<Map<string, QueuePlace>>
}

/** What the entries of one pass share. */
interface DeliveryPass {
  placeOf: (job: Job) => Promise<QueuePlace | undefined>
  /** How many entries of this pass wait for the same rate limit of Slack's. */
  crowd: Map<string, number>
  /** May a post or an edit still begin? Measured from before the claim, as another may hold the lease later. */
  inTime: () => boolean
}

/** One pass over what there is to say. Returns how long to rest, ms. */
export async function deliveryPass(deps: DeliveryDeps): Promise<number> {
  const sinceClaim = stopwatch()
  const inTime = () => sinceClaim() < deps.postWithinMs
  const claimed = await deps.outbox.claim(BATCH)
  deps.inFlight.begin(claimed.length)
  const pass = { placeOf: placesByQueue(deps), crowd: new Map<string, number>(), inTime }
  await Promise.all(
    claimed.map(async (entry) => {
      // A call in progress may still post, so the next process looks for the message first.
      const left: DeliveryResult = { sure: false, againMs: SLACK_TRIES.lookUpAgainMs }
      const delivering = deliver(deps, entry, pass).catch((error) =>
        afterFailure(deps, entry, error),
      )
      try {
        await deps.outbox.settle(entry, await raceAbort(deps.forceStop, delivering, left))
      } finally {
        deps.inFlight.end()
      }
    }),
  )
  return claimed.length === BATCH ? 0 : UNTIL_WOKEN
}

/** A queue is read once per pass, and only when a waiting job of it is shown. */
function placesByQueue(deps: DeliveryDeps) {
  const known = new Map<string, Promise<Map<string, QueuePlace>>>()
  return async (job: Job): Promise<QueuePlace | undefined> => {
    if (job.state !== "queued") return undefined
    const queue = queueOf(job)
    const places = known.get(queue) ?? deps.places(queue)
    known.set(queue, places)
    return (await places).get(job.id)
  }
}

/** Takes the next step for one claimed job, or waits until Slack's rate limit allows it. */
async function deliver(
  deps: WriteDeps,
  { job, prompt, isAnswer }: OutboxEntry,
  { placeOf, crowd, inTime }: DeliveryPass,
): Promise<DeliveryResult> {
  const place = await placeOf(job)
  const step = nextStep(job, place, place !== undefined && hasMoved(job.shown, place))
  if (step === "none") return { sure: job.unsure === 0, shown: { rev: job.rev, ...place } }
  const waitMs = await rateLimit(deps, job, step, isAnswer)
  if (waitMs > 0)
    return { sure: "untried", againMs: queueUp(crowd, lineOf(job, step, isAnswer), waitMs) }
  return writeStep(deps, { job, prompt, place, step, inTime })
}

async function rateLimit(
  { outbox }: WriteDeps,
  job: Job,
  step: Step,
  isAnswer: boolean,
): Promise<number> {
  if (isEdit(step)) return outbox.rateLimit(isAnswer ? "answer" : "edit", job.channel)
  return outbox.rateLimit("post", step === "private" ? job.user : job.channel)
}

/** Which of Slack's rate limits it waits for. */
function lineOf(job: Job, step: Step, isAnswer: boolean): string {
  if (!isEdit(step)) return job.channel
  return isAnswer ? "answer" : "edit"
}

/** Entries that wait for the same limit come back one after another, not all at once. */
function queueUp(crowd: Map<string, number>, line: string, waitMs: number): number {
  const ahead = crowd.get(line) ?? 0
  crowd.set(line, ahead + 1)
  return waitMs * (ahead + 1)
}
