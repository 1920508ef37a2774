import { DELIVERY } from "../config/timing.ts"
import { SlackError } from "../errors/slack-error.ts"
import type { Message } from "../ports/message.ts"
import type { Outbound } from "../ports/outbound.ts"
import { deliverByReplyUrl, deliverDirectly } from "./deliver-privately.ts"
import { type Ending, isEnded, type Job, type QueuePlace, threadOf } from "./job.ts"
import { nextStep, type Step } from "./next-step.ts"
import type { DeliveryResult, JobStore, Outbox, OutboxEntry, Prompt } from "./ports.ts"
import { prepare, type ReadTalk } from "./prepare.ts"
import { retryLater } from "./retry-delivery.ts"

/** What to write about jobs. The views decide the words. */
export interface JobViews {
  card(job: Job, prompt: Prompt | undefined, place: QueuePlace | undefined): Message
  closing(job: Job & { ending: Ending }): Message
  cannotPost(job: Job, code: string): Message
}

export interface DeliveryDeps {
  outbox: Outbox
  jobs: Pick<JobStore, "endQueued" | "replyUrl">
  outbound: Pick<Outbound, "post" | "update" | "find" | "respond" | "direct">
  views: JobViews
  readTalk: ReadTalk
  /**
   * A post is begun only within this time after the claim, ms: the lease must outlast the post's own
   * timeout, or another worker would post the same.
   */
  postWithinMs: number
}

/** What the entries of one pass share. */
export interface DeliveryPass {
  placeOf: (job: Job) => Promise<QueuePlace | undefined>
  moved: HasMoved
  /** Who waits for the same limit of Slack's in this pass. */
  crowd: Map<string, number>
  /** May a post still be begun? Counted from before the claim: later, another may hold the lease. */
  inTime: () => boolean
}

/** Is what a card shows of a waiting job no longer true enough? */
export type HasMoved = (shown: Partial<QueuePlace>, is: QueuePlace) => boolean

/**
 * Says the next thing about one claimed job. Which way it errs: a post in doubt is looked up before it
 * is repeated; where the bot may not read, it is repeated, as a lost ending is worse than a double one.
 */
export async function deliver(
  deps: DeliveryDeps,
  { job, prompt }: OutboxEntry,
  { placeOf, moved, crowd, inTime }: DeliveryPass,
): Promise<DeliveryResult> {
  const place = await placeOf(job)
  const step = nextStep(job, place, place !== undefined && moved(job.shown, place))
  if (step === "none") return { sure: job.unsure === 0, shown: { rev: job.rev, ...place } }
  const waitMs = await turn(deps, job, step)
  if (waitMs > 0) return { sure: "untried", againMs: queueUp(crowd, job, step, waitMs) }
  try {
    if (step === "edit") return await edit(deps, job, prompt, place)
    if (step === "private")
      return await deliverByReplyUrl(deps, job, deps.views.cannotPost(job, job.detail ?? ""))
    const found = await lookUp(deps, job, step === "closing" ? "closing" : "card")
    if (found === "later") return { sure: false, againMs: DELIVERY.lookUpAgainMs }
    if (step === "seek" && (found !== "unreadable" || job.ending !== "cancelled"))
      return await adoptCard(deps, job, found)
    // Where the bot may not read, a post that may be lost is worse than one that may be double.
    const known = found === "unreadable" ? undefined : found
    return step === "closing"
      ? await postClosing(deps, job, { known, inTime })
      : await postCard(deps, job, prompt, place, { known, inTime })
  } catch (error) {
    if (error instanceof SlackError) return onRefusal(deps, job, step, error)
    throw error
  }
}

async function turn({ outbox }: DeliveryDeps, job: Job, step: Step): Promise<number> {
  if (step === "edit") return outbox.turn("edit", job.channel)
  return outbox.turn("post", step === "private" ? job.user : job.channel)
}

/** What is known of an earlier attempt, and whether there is time for a new one. */
interface Attempt {
  known: { ts: string } | undefined
  inTime: () => boolean
}

/** The next claim has a fresh lease, and the job as it is by then. */
const NOT_SENT: DeliveryResult = { sure: "untried", againMs: 0 }

/** Those who wait for the same limit line up, instead of all coming back at the same moment. */
function queueUp(crowd: Map<string, number>, job: Job, step: Step, waitMs: number): number {
  const line = step === "edit" ? "edit" : job.channel
  const ahead = crowd.get(line) ?? 0
  crowd.set(line, ahead + 1)
  return waitMs * (ahead + 1)
}

/** Has an earlier attempt, whose answer never came, posted it after all? */
async function lookUp(deps: DeliveryDeps, job: Job, step: "card" | "closing") {
  if (job.unsure === 0) return undefined
  const thread = step === "card" ? job.thread : threadOf(job)
  try {
    const found = await deps.outbound.find({ channel: job.channel, thread }, postKey(job, step))
    return found === "absent" ? undefined : found
  } catch (error) {
    if (error instanceof SlackError && error.verdict !== "give_up") return "later"
    if (error instanceof SlackError) return undefined
    throw error
  }
}

/** The job ended without a card that is known of. Should there be one, it is edited like any. */
async function adoptCard(
  { outbox }: DeliveryDeps,
  job: Job,
  found: { ts: string } | "unreadable" | undefined,
): Promise<DeliveryResult> {
  if (typeof found === "object") await outbox.cardPosted(job, found.ts)
  return { sure: true, againMs: 0 }
}

function postKey(job: Job, step: "card" | "closing") {
  return { job: job.id, part: step === "card" ? "card" : `closing ${job.round}` }
}

async function postCard(
  deps: DeliveryDeps,
  job: Job,
  prompt: Prompt | undefined,
  place: QueuePlace | undefined,
  { known, inTime }: Attempt,
): Promise<DeliveryResult> {
  const to = { channel: job.channel, thread: job.thread }
  const ready = prompt && (await prepare(job, prompt, deps.readTalk))
  const waits =
    !ready || !prompt.talk || (await deps.outbox.savePrompt(job, ready.prompt, ready.note))
  if (!waits) return NOT_SENT
  const noted = ready?.note ? { ...job, note: ready.note } : job
  const message = deps.views.card(noted, prompt, place)
  if (!known && !inTime()) return NOT_SENT
  const { ts } = known ?? (await deps.outbound.post(to, message, postKey(job, "card")))
  await deps.outbox.cardPosted(job, ts)
  // A card that was found says what was true when it was posted: it is edited next.
  if (known) return { sure: true, againMs: 0 }
  return { sure: true, shown: { rev: job.rev, ...place } }
}

async function postClosing(
  deps: DeliveryDeps,
  job: Job,
  { known, inTime }: Attempt,
): Promise<DeliveryResult> {
  if (!isEnded(job)) return { sure: true }
  if (!known && !inTime()) return NOT_SENT
  const to = { channel: job.channel, thread: threadOf(job) }
  const message = deps.views.closing(job)
  const { ts } = known ?? (await deps.outbound.post(to, message, postKey(job, "closing")))
  // The card's last edit is still to come.
  return { sure: true, closing: ts, againMs: 0 }
}

async function edit(
  deps: DeliveryDeps,
  job: Job,
  prompt: Prompt | undefined,
  place: QueuePlace | undefined,
): Promise<DeliveryResult> {
  const card = { channel: job.channel, ts: job.card ?? "" }
  await deps.outbound.update(card, deps.views.card(job, prompt, place))
  return { sure: true, shown: { rev: job.rev, ...place } }
}

async function onRefusal(
  deps: DeliveryDeps,
  job: Job,
  step: Step,
  error: SlackError,
): Promise<DeliveryResult> {
  if (error.verdict !== "give_up") return retryLater(error)
  if (step === "edit") return { sure: true, shown: { rev: job.rev } }
  if (step === "card") {
    // No job is spent. That it is told is a step of its own: a crash must not swallow it.
    await deps.jobs.endQueued(job, "no_card", error.code)
    return { sure: true, againMs: 0 }
  }
  // The thread is gone or closed to the bot: the requester still hears the ending.
  return isEnded(job) ? deliverDirectly(deps, job, deps.views.closing(job)) : { sure: true }
}
