import { orSlackError, SlackError } from "../errors/slack-error.ts"
import type { Message } from "../ports/message.ts"
import type { Outbound } from "../ports/outbound.ts"
import type { UnreadFile } from "./attached.ts"
import { deliverDirectly, tellInThread } from "./deliver-privately.ts"
import {
  ELSEWHERE,
  type Ending,
  isEnded,
  isReplied,
  type Job,
  type QueuePlace,
  threadOf,
} from "./job.ts"
import type { JobStore, Prompt } from "./ports.ts"
import { isToPrepare, prepare, type Readers } from "./prepare.ts"
import { retryLater } from "./retry-delivery.ts"
import type { DeliveryResult, Outbox } from "./worker-ports.ts"

/** What to write about jobs. The views decide the words. */
export interface JobViews {
  card(job: Job, prompt: Prompt | undefined, place: QueuePlace | undefined): Message
  closing(job: Job & { ending: Ending }): Message
  reminder(job: Job): Message
  cannotPost(job: Job, code: string): Message
  /** What the agent does not see of what was attached; never empty. */
  unreadFiles(files: readonly UnreadFile[]): Message
}

export interface WriteDeps {
  outbox: Outbox
  jobs: Pick<JobStore, "endQueued" | "replyUrl">
  outbound: Pick<Outbound, "post" | "update" | "find" | "respond" | "direct" | "whisper">
  views: JobViews
  readers: Readers
  /**
   * A post is begun only within this time after the claim, ms: the lease must outlast the post's own
   * timeout, or another worker would post the same.
   */
  postWithinMs: number
}

/**
 * What to write next. `seek`: look for a card that may be there. `private`: tell the requester alone that
 * none can be. `edit_closing`: the closing reply says what came after it.
 */
export type Step =
  | ("card" | "edit" | "closing" | "seek" | "private" | "none")
  | ("edit_closing" | "reminder")

/** What is known of an earlier attempt, and whether there is time for a new one. */
interface Attempt {
  known: { ts: string } | undefined
  inTime: () => boolean
}

/** The next claim has a fresh lease, and the job as it is by then. */
const NOT_SENT: DeliveryResult = { sure: "untried", againMs: 0 }

/** Has an earlier attempt, whose answer never came, posted it after all? */
export async function lookUp(deps: WriteDeps, job: Job, step: Part) {
  if (job.unsure === 0) return undefined
  const thread = step === "card" ? job.thread : threadOf(job)
  const place = { channel: job.channel, thread }
  const found = await deps.outbound.find(place, postKey(job, step)).catch(orSlackError)
  if (found instanceof SlackError) return found.verdict === "give_up" ? undefined : "later"
  return found === "absent" ? undefined : found
}

/** The job ended without a card that is known of. Should there be one, it is edited like any. */
export async function adoptCard(
  { outbox }: WriteDeps,
  job: Job,
  found: { ts: string } | "unreadable" | undefined,
): Promise<DeliveryResult> {
  if (typeof found === "object") await outbox.cardPosted(job, found.ts)
  return { sure: true, againMs: 0 }
}

type Part = "card" | "closing" | "reminder"

function postKey(job: Job, step: Part) {
  return { job: job.id, part: step === "closing" ? `closing ${job.round}` : step }
}

export async function postCard(
  deps: WriteDeps,
  job: Job,
  prompt: Prompt | undefined,
  place: QueuePlace | undefined,
  { known, inTime }: Attempt,
): Promise<DeliveryResult> {
  const to = { channel: job.channel, thread: job.thread }
  const ready = prompt && (await prepare(job, prompt, deps.readers))
  const waits =
    !ready || !isToPrepare(prompt) || (await deps.outbox.savePrompt(job, ready.prompt, ready.note))
  if (!waits) return NOT_SENT
  const noted = ready?.note ? { ...job, note: ready.note } : job
  const message = deps.views.card(noted, prompt, place)
  if (!known && !inTime()) return NOT_SENT
  const { ts } = known ?? (await deps.outbound.post(to, message, postKey(job, "card")))
  const unread = ready?.prompt.unread
  if (unread) await tellInThread(deps, job, deps.views.unreadFiles(unread))
  await deps.outbox.cardPosted(job, ts)
  // A card that was found says what was true when it was posted: it is edited next.
  if (known) return { sure: true, againMs: 0 }
  return { sure: true, shown: { rev: job.rev, ...place } }
}

export async function postClosing(
  deps: WriteDeps,
  job: Job,
  { known, inTime }: Attempt,
): Promise<DeliveryResult> {
  if (!isEnded(job)) return { sure: true }
  if (!known && !inTime()) return NOT_SENT
  const to = { channel: job.channel, thread: threadOf(job) }
  const message = deps.views.closing(job)
  const { ts } = known ?? (await deps.outbound.post(to, message, postKey(job, "closing")))
  // The card's last edit is still to come. A reply that was found may say less than is known by now.
  return { sure: true, closing: ts, ...(known ? {} : { laterShown: job.later.rev }), againMs: 0 }
}

/** Is there something new since the closing reply was written? One that went elsewhere stays as it is. */
export function hasLaterNews(job: Job): boolean {
  return job.later.rev !== job.later.shown && isReplied(job)
}

export async function editClosing(deps: WriteDeps, job: Job): Promise<DeliveryResult> {
  const { channel, closing: ts = "", later } = job
  if (isEnded(job)) await deps.outbound.update({ channel, ts }, deps.views.closing(job))
  return { sure: true, laterShown: later.rev, againMs: 0 }
}

/** Once for a pull request: like a closing reply, one whose fate is not known is looked up first. */
export async function postReminder(
  deps: WriteDeps,
  job: Job,
  { known, inTime }: Attempt,
): Promise<DeliveryResult> {
  if (!known && !inTime()) return NOT_SENT
  const to = { channel: job.channel, thread: threadOf(job) }
  const { ts } =
    known ?? (await deps.outbound.post(to, deps.views.reminder(job), postKey(job, "reminder")))
  return { sure: true, reminder: ts }
}

export async function edit(
  deps: WriteDeps,
  job: Job,
  prompt: Prompt | undefined,
  place: QueuePlace | undefined,
): Promise<DeliveryResult> {
  const card = { channel: job.channel, ts: job.card ?? "" }
  const more = hasLaterNews(job) || job.reminder === "due" ? { againMs: 0 } : {}
  // Words are forgotten before a pull request is: the card then keeps what it shows.
  const stays = prompt === undefined && job.later.rev > 0 && !job.isForgotten
  if (!stays) await deps.outbound.update(card, deps.views.card(job, prompt, place))
  return { sure: true, shown: { rev: job.rev, ...place }, ...more }
}

export async function onRefusal(
  deps: WriteDeps,
  job: Job,
  step: Step,
  error: SlackError,
): Promise<DeliveryResult> {
  if (error.verdict !== "give_up") return retryLater(error)
  if (step === "edit") return { sure: true, shown: { rev: job.rev } }
  if (step === "edit_closing") return { sure: true, laterShown: job.later.rev, againMs: 0 }
  if (step === "reminder") return { sure: true, reminder: ELSEWHERE }
  if (step === "card") {
    // No job is spent. That it is told is a step of its own: a crash must not swallow it.
    await deps.jobs.endQueued(job, "no_card", error.code)
    return { sure: true, againMs: 0 }
  }
  // The thread is gone or closed to the bot: the requester still hears the ending.
  return isEnded(job) ? deliverDirectly(deps, job, deps.views.closing(job)) : { sure: true }
}
