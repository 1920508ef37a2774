import { againAfter, MOST_FAILURES } from "../config/timing.ts"
import { SlackError } from "../errors/slack-error.ts"
import { UNTIL_WOKEN } from "../runtime/alarm.ts"
import type { InFlight } from "../runtime/in-flight.ts"
import { raceAbort, stopwatch } from "../runtime/time.ts"
import { currentAsks, ELSEWHERE, type Job, type QueuePlace } from "./job.ts"
import type { Held } from "./job-store.ts"
import { jobKeys } from "./keys.ts"
import {
  hasResult,
  nextStep,
  placeToShow,
  printOf,
  type Rendered,
  recipientsOf,
  type Step,
} from "./next-step.ts"
import { hasMoved } from "./places.ts"
import { firstWords } from "./prompt.ts"
import { queueOf } from "./queues.ts"
import { type Change, nextRound, notStarted } from "./transitions.ts"
import { deliverByReplyUrl, deliverDirectly, post, prepareAsks, type WriteDeps } from "./write.ts"

const BATCH = 20
/** The detail of a job whose card could not be written for a reason of ours. */
const BROKEN = "broken_here"

export interface DeliveryDeps extends WriteDeps {
  /** Aborted when the process cannot wait for Slack any longer. */
  forceStop: AbortSignal
  inFlight: InFlight
  leaseMs: number
  /** Between two writes about one job, ms: changes in between become one edit that shows the latest state. */
  gapMs: number
  /** A post or an edit is begun only within this time after the claim, ms: the lease must outlast its timeout. */
  postWithinMs: number
  /** Slack's limits over all processes: 0 when the turn is taken, else ms to wait. */
  rateLimit: (kind: "post" | "edit" | "answer", channel: string) => Promise<number>
  /** Places of the waiting jobs of a queue right now. */
  places: (queue: string) => Promise<ReadonlyMap<string, QueuePlace>>
  hasMessages: (project: string) => Promise<boolean>
  delayMs: number
  /** Gives all that waits in a job a job of its own. */
  moveOut: (job: Job) => Promise<void>
  /** Told of unexpected errors. @param failures in a row, this one included */
  onFailed: (job: Job, error: unknown, failures: number) => void
}

/** Until the job comes up again, ms; `lost`: it is another worker's by now. */
type After = number | "done" | "lost"

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
  const place = await placeOf(deps, held, pass)
  const rendered = render(deps, held, place)
  const step = nextStep(held.job, rendered)
  if (step === "none") return "done"
  if (step === "prepare") return prepareAsks(deps, held)
  if (step === "next_round") return beginWaiting(deps, held)
  if (step === "skip_result") return skipResult(deps, held)
  if (step === "skip_review") return skipReview(deps, held)
  const waitMs = await deps.rateLimit(kindOf(step, held.job), lineOf(step, held.job))
  if (waitMs > 0)
    return queueUp(pass.crowd, `${kindOf(step, held.job)}:${lineOf(step, held.job)}`, waitMs)
  if (!pass.inTime()) return 0
  try {
    return await take(deps, held, step, rendered, place)
  } catch (error) {
    if (error instanceof SlackError) return afterRefusal(deps, held, step, error, rendered)
    throw error
  }
}

function render(
  deps: DeliveryDeps,
  { job, words, now }: Held,
  place: QueuePlace | undefined,
): Rendered {
  const first = firstWords(job, words)
  // Words are forgotten before a pull request is: the card then keeps what it shows.
  const stays = first === "" && job.state === "ended" && !job.isForgotten && job.shown !== undefined
  return {
    card: stays ? undefined : deps.messages.card({ job, words: first, place, now }),
    result: hasResult(job) ? deps.messages.result(job, job.result?.users ?? []) : undefined,
  }
}

async function placeOf(
  deps: DeliveryDeps,
  { job, now }: Held,
  { places }: Pass,
): Promise<QueuePlace | undefined> {
  // A request that may still be taken back shows that instead: its place is drawn once it is over.
  if (job.state !== "queued" || isDelayed(job, deps.delayMs, now)) return undefined
  const queue = queueOf(job)
  // A queue is read once per pass, and only when a waiting job of it is shown.
  const known = places.get(queue) ?? deps.places(queue)
  places.set(queue, known)
  return placeToShow(job, (await known).get(job.id), hasMoved)
}

function isDelayed(job: Job, delayMs: number, now: number): boolean {
  const asked = Math.max(...currentAsks(job).map(({ at }) => at))
  return (job.from ?? asked + delayMs) > now
}

async function take(
  deps: DeliveryDeps,
  held: Held,
  step: Step,
  rendered: Rendered,
  place: QueuePlace | undefined,
): Promise<After> {
  switch (step) {
    case "card":
    case "result":
    case "review":
    case "seek":
      return post(deps, held, step, rendered.card, place)
    case "edit":
      return edit(deps, held, rendered, place)
    case "edit_result":
      return editResult(deps, held, rendered)
    case "private":
      return deliverByReplyUrl(deps, held)
    default:
      return "done"
  }
}

/** Brings a card up to date. */
async function edit(
  deps: DeliveryDeps,
  held: Held,
  { card, result }: Rendered,
  place: QueuePlace | undefined,
): Promise<After> {
  const { channel, card: ts = "" } = held.job
  if (!card) return "done"
  await deps.outbound.update({ channel, ts }, card)
  const print = printOf(card)
  const shows = place ? { place } : {}
  const unset = place ? (["isAnswer"] as const) : (["isAnswer", "place"] as const)
  return written(
    deps,
    held,
    { set: { shown: print, failures: 0, ...shows }, unset },
    { card, result },
  )
}

/** Brings a closing reply up to date. */
async function editResult(deps: DeliveryDeps, held: Held, rendered: Rendered): Promise<After> {
  const { result } = held.job
  if (!rendered.result || !result) return "done"
  await deps.outbound.update({ channel: held.job.channel, ts: result.ts }, rendered.result)
  const print = printOf(rendered.result)
  return written(deps, held, { set: { result: { ...result, print }, failures: 0 } }, rendered)
}

/**
 * Writes down that an edit was made, and ends the lease with it. Where the lease was lost, another worker
 * may have written first and Slack shows the older of two edits: the card is drawn once more.
 */
async function written(
  deps: DeliveryDeps,
  { job, lease }: Held,
  change: Change,
  rendered: Rendered,
): Promise<"lost"> {
  const done = await deps.jobs.change(job.id, () => change, {
    schedule: jobKeys.schedule("outbox"),
    lease,
    againMs: (is) => {
      // Somebody has changed it meanwhile: the next edit shows that.
      if (is.rev !== job.rev + 1) return is.isAnswer ? 0 : deps.gapMs
      return nextStep(is, rendered) === "none" ? "done" : 0
    },
  })
  if (!done) await deps.jobs.change(job.id, () => ({ unset: ["shown"], due: { outbox: 0 } }))
  return "lost"
}

/** Begins what waited for the end of the round, in this job or in one of its own. */
async function beginWaiting(deps: DeliveryDeps, { job }: Held): Promise<After> {
  const hasMessages = await deps.hasMessages(job.project)
  const { delayMs } = deps
  const begun = await deps.jobs.change<"new_job">(job.id, ({ job: is, now }) =>
    nextRound(is, { hasMessages, delayMs, now }),
  )
  if (begun === "new_job") await deps.moveOut(job)
  return 0
}

/** Everybody has muted it: the result counts as told. */
async function skipResult(deps: DeliveryDeps, { job }: Held): Promise<After> {
  const { round } = job
  await deps.jobs.change(job.id, () => ({
    set: { result: { ts: ELSEWHERE, round, users: [], print: "" } },
  }))
  return 0
}

/** Which of Slack's limits a step counts against. */
function kindOf(step: Step, { isAnswer }: Job): "post" | "edit" | "answer" {
  if (step !== "edit" && step !== "edit_result") return "post"
  return isAnswer ? "answer" : "edit"
}

function lineOf(step: Step, { channel, user }: Job): string {
  return step === "private" ? user : channel
}

/** Jobs that wait for the same limit come back one after another, not all at once. */
function queueUp(crowd: Map<string, number>, line: string, waitMs: number): number {
  const ahead = crowd.get(line) ?? 0
  crowd.set(line, ahead + 1)
  return waitMs * (ahead + 1)
}

/** Does what Slack's refusal of a step means. */
async function afterRefusal(
  deps: DeliveryDeps,
  held: Held,
  step: Step,
  error: SlackError,
  rendered: Rendered,
): Promise<After> {
  const { job } = held
  if (error.verdict === "later") {
    if (job.posting !== undefined) await deps.jobs.change(job.id, () => ({ unset: ["posting"] }))
    return error.retryAfterMs ?? deps.tries.laterMs
  }
  if (error.verdict === "unknown") return deps.tries.lookUpAgainMs
  return giveUp(deps, held, step, error.code, rendered)
}

/** One message is given up; what comes after it is still said. */
async function giveUp(
  deps: DeliveryDeps,
  held: Held,
  step: Step,
  code: string,
  rendered: Rendered,
): Promise<After> {
  const { job } = held
  const { round } = job
  switch (step) {
    case "card":
      // No job is spent. Telling the requester is a step of its own, so that a crash cannot lose it.
      await deps.jobs.change(job.id, ({ job: is, now }) => {
        const end = notStarted(is, { ending: "no_card", detail: code, now })
        return end && { ...end, unset: [...(end.unset ?? []), "posting"] }
      })
      return 0
    case "result":
      // The thread is gone or closed to the bot: the requesters are still told how it ended.
      return deliverDirectly(deps, held, deps.messages.result(job, recipientsOf(job)))
    case "edit":
      await deps.jobs.change(job.id, () => ({
        set: rendered.card ? { shown: printOf(rendered.card) } : {},
        unset: ["isAnswer"],
      }))
      return 0
    case "edit_result":
      await deps.jobs.change(job.id, () =>
        job.result && rendered.result
          ? { set: { result: { ...job.result, print: printOf(rendered.result) } } }
          : undefined,
      )
      return 0
    case "review":
      return skipReview(deps, held)
    default:
      await deps.jobs.change(job.id, () => ({
        set: { result: { ts: ELSEWHERE, round, users: [], print: "" } },
        unset: ["posting"],
      }))
      return 0
  }
}

/** Counts a review as told of, as all have muted it or it cannot be posted. */
async function skipReview(deps: DeliveryDeps, { job }: Held): Promise<After> {
  await deps.jobs.change(job.id, ({ job: { pull } }) =>
    pull?.review
      ? { set: { pull: { ...pull, review: { ...pull.review, state: "posted" } } } }
      : undefined,
  )
  return 0
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
  const step = job.card === undefined ? "card" : job.result?.round === job.round ? "edit" : "result"
  if (step !== "result")
    return giveUp(deps, held, step, BROKEN, { card: undefined, result: undefined })
  await skipResult(deps, held)
  return 0
}
