import { SLACK_TRIES } from "../config/timing.ts"
import { SlackError } from "../errors/slack-error.ts"
import { UNTIL_WOKEN } from "../runtime/alarm.ts"
import { raceAbort } from "../runtime/race-abort.ts"
import { stopwatch } from "../runtime/stopwatch.ts"
import { deliverByReplyUrl } from "./deliver-privately.ts"
import { afterFailure } from "./delivery-failure.ts"
import { type Ending, isEnded, type Job, type QueuePlace } from "./job.ts"
import { hasMoved } from "./places.ts"
import { queueOf } from "./queues.ts"
import type { DeliveryResult, OutboxEntry } from "./worker-ports.ts"
import {
  adoptCard,
  edit,
  editClosing,
  hasLaterNews,
  lookUp,
  onRefusal,
  postCard,
  postClosing,
  postReminder,
  type Step,
  type WriteDeps,
} from "./write.ts"

const BATCH = 20

/** These endings are shown on the card only: the requester caused them, or was told privately. */
const SILENT: ReadonlySet<Ending> = new Set(["cancelled", "unfollowed", "no_card"])

export interface DeliveryDeps extends WriteDeps {
  /** Aborted when the process cannot wait for Slack any longer. */
  hurry: AbortSignal
  /** Told of what nobody expected to go wrong. @param failures in a row, this one included */
  onFailed: (job: Job, error: unknown, failures: number) => void
  /** Where the waiting jobs of a queue stand right now. */
  places(queue: string): Promise<Map<string, QueuePlace>>
}

/** What the entries of one pass share. */
interface DeliveryPass {
  placeOf: (job: Job) => Promise<QueuePlace | undefined>
  /** Who waits for the same limit of Slack's in this pass. */
  crowd: Map<string, number>
  /** May a post still be begun? Counted from before the claim: later, another may hold the lease. */
  inTime: () => boolean
}

/** One pass over what there is to say. Returns how long to rest, ms. */
export async function deliveryPass(deps: DeliveryDeps): Promise<number> {
  const sinceClaim = stopwatch()
  const inTime = () => sinceClaim() < deps.postWithinMs
  const claimed = await deps.outbox.claim(BATCH)
  const pass = { placeOf: placesByQueue(deps), crowd: new Map<string, number>(), inTime }
  await Promise.all(
    claimed.map(async (entry) => {
      // What is on its way may yet be posted, so the next process looks it up first.
      const left: DeliveryResult = { sure: false, againMs: SLACK_TRIES.lookUpAgainMs }
      const delivering = deliver(deps, entry, pass).catch((error) =>
        afterFailure(deps, entry, error),
      )
      await deps.outbox.settle(entry, await raceAbort(deps.hurry, delivering, left))
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

/**
 * Says the next thing about one claimed job. Which way it errs: a post in doubt is looked up before it
 * is repeated; where the bot may not read, it is repeated, as a lost ending is worse than a double one.
 */
async function deliver(
  deps: WriteDeps,
  { job, prompt, isAnswer }: OutboxEntry,
  { placeOf, crowd, inTime }: DeliveryPass,
): Promise<DeliveryResult> {
  const place = await placeOf(job)
  const step = nextStep(job, place, place !== undefined && hasMoved(job.shown, place))
  if (step === "none") return { sure: job.unsure === 0, shown: { rev: job.rev, ...place } }
  const waitMs = await turn(deps, job, step, isAnswer)
  if (waitMs > 0)
    return { sure: "untried", againMs: queueUp(crowd, lineOf(job, step, isAnswer), waitMs) }
  try {
    if (step === "edit") return await edit(deps, job, prompt, place)
    if (step === "edit_closing") return await editClosing(deps, job)
    if (step === "private")
      return await deliverByReplyUrl(deps, job, deps.views.cannotPost(job, job.detail ?? ""))
    const found = await lookUp(deps, job, step === "seek" ? "card" : step)
    if (found === "later") return { sure: false, againMs: SLACK_TRIES.lookUpAgainMs }
    if (step === "seek" && (found !== "unreadable" || job.ending !== "cancelled"))
      return await adoptCard(deps, job, found)
    // Where the bot may not read, a post that may be lost is worse than one that may be double.
    const known = found === "unreadable" ? undefined : found
    if (step === "reminder") return await postReminder(deps, job, { known, inTime })
    return step === "closing"
      ? await postClosing(deps, job, { known, inTime })
      : await postCard(deps, job, prompt, place, { known, inTime })
  } catch (error) {
    if (error instanceof SlackError) return onRefusal(deps, job, step, error)
    throw error
  }
}

/**
 * What to say next about a job; pure. The closing reply goes before the card's last edit: it is what
 * people wait for, and edits are the scarcer of the two.
 */
export function nextStep(job: Job, place: QueuePlace | undefined, moved: boolean): Step {
  if (job.card === undefined) return withoutCard(job)
  if (isEnded(job) && job.closing === undefined && !SILENT.has(job.ending)) return "closing"
  if (job.rev !== job.shown.rev) return "edit"
  if (hasLaterNews(job)) return "edit_closing"
  if (job.reminder === "due") return "reminder"
  return job.state === "queued" && place !== undefined && moved ? "edit" : "none"
}

function withoutCard(job: Job): Step {
  if (!isEnded(job)) return "card"
  // A card whose post was never answered must not go on saying that the request waits.
  if (job.unsure > 0) return "seek"
  return job.ending === "no_card" && job.closing === undefined ? "private" : "none"
}

async function turn(
  { outbox }: WriteDeps,
  job: Job,
  step: Step,
  isAnswer: boolean,
): Promise<number> {
  if (isEdit(step)) return outbox.turn(isAnswer ? "answer" : "edit", job.channel)
  return outbox.turn("post", step === "private" ? job.user : job.channel)
}

function isEdit(step: Step): boolean {
  return step === "edit" || step === "edit_closing"
}

/** What limit of Slack's it waits for. */
function lineOf(job: Job, step: Step, isAnswer: boolean): string {
  if (!isEdit(step)) return job.channel
  return isAnswer ? "answer" : "edit"
}

/** Those who wait for the same limit line up, instead of all coming back at the same moment. */
function queueUp(crowd: Map<string, number>, line: string, waitMs: number): number {
  const ahead = crowd.get(line) ?? 0
  crowd.set(line, ahead + 1)
  return waitMs * (ahead + 1)
}
