import { SLACK_TRIES } from "../config/timing.ts"
import { orSlackError, SlackError } from "../errors/slack-error.ts"
import type { Outbound } from "../ports/outbound.ts"
import { deliverByReplyUrl, tellInThread } from "./deliver-privately.ts"
import { afterRefusal } from "./delivery-failure.ts"
import { edit, editClosing } from "./edit.ts"
import { isEnded, type Job, type QueuePlace, threadOf } from "./job.ts"
import { isEdit, type Step } from "./next-step.ts"
import type { JobStore, Prompt } from "./ports.ts"
import { isToPrepare, prepare, type Readers } from "./prepare.ts"
import type { DeliveryResult, Deployment, JobViews, Outbox } from "./worker-ports.ts"

export interface WriteDeps extends Deployment {
  outbox: Outbox
  jobs: Pick<JobStore, "endQueued" | "replyUrl">
  outbound: Pick<Outbound, "post" | "update" | "find" | "respond" | "direct" | "postEphemeral">
  views: JobViews
  readers: Readers
  /**
   * A post or an edit is begun only within this time after the claim, ms: the lease must outlast its own
   * timeout, or another worker would post the same, or have written something newer.
   */
  postWithinMs: number
}

/** A step, and the job as it was claimed. */
interface Writing {
  step: Step
  job: Job
  prompt: Prompt | undefined
  place: QueuePlace | undefined
  /** May a post or an edit still be begun? */
  inTime: () => boolean
}

/** A post that an earlier attempt may have made. */
interface Known {
  known: { ts: string } | undefined
}

/** The next claim has a fresh lease, and the job as it is by then. */
const NOT_SENT: DeliveryResult = { sure: "untried", againMs: 0 }

/**
 * Takes a step. If it is unclear whether a post went out, it is looked for before it is repeated. Where
 * the bot may not read, it is repeated: a missing ending is worse than a double one.
 */
export async function writeStep(deps: WriteDeps, writing: Writing): Promise<DeliveryResult> {
  const { step, job, prompt, place, inTime } = writing
  // An edit that comes late would take the place of what another worker has written since.
  if (isEdit(step) && !inTime()) return NOT_SENT
  try {
    if (step === "edit") return await edit(deps, job, prompt, place)
    if (step === "edit_closing") return await editClosing(deps, job)
    if (step === "private")
      return await deliverByReplyUrl(deps, job, deps.views.cannotPost(job, job.detail ?? ""))
    if (step !== "none") return await post(deps, { ...writing, step })
    return { sure: true }
  } catch (error) {
    if (error instanceof SlackError) return afterRefusal(deps, job, step, error)
    throw error
  }
}

async function post(
  deps: WriteDeps,
  writing: Writing & { step: Part | "seek" },
): Promise<DeliveryResult> {
  const { job, step } = writing
  const found = await lookUp(deps, job, step === "seek" ? "card" : step)
  if (found === "later") return { sure: false, againMs: SLACK_TRIES.lookUpAgainMs }
  if (step === "seek" && (found !== "unreadable" || job.ending !== "cancelled"))
    return adoptCard(deps, job, found)
  // Where the bot may not read, a post that may be lost is worse than one that may be double.
  const known = found === "unreadable" ? undefined : found
  if (step === "reminder") return postReminder(deps, { ...writing, known })
  return step === "closing"
    ? postClosing(deps, { ...writing, known })
    : postCard(deps, { ...writing, known })
}

/** Has an earlier attempt, whose answer never came, posted it after all? */
async function lookUp(deps: WriteDeps, job: Job, step: Part) {
  if (job.unsure === 0) return undefined
  const thread = step === "card" ? job.thread : threadOf(job)
  const place = { channel: job.channel, thread }
  const found = await deps.outbound.find(place, postKey(job, step)).catch(orSlackError)
  if (found instanceof SlackError) return found.verdict === "give_up" ? undefined : "later"
  return found === "absent" ? undefined : found
}

/** The job ended without a card that is known of. Should there be one, it is edited like any. */
async function adoptCard(
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

async function postCard(
  deps: WriteDeps,
  { job, prompt, place, known, inTime }: Writing & Known,
): Promise<DeliveryResult> {
  const to = { channel: job.channel, thread: job.thread }
  const ready = prompt && (await prepare(job, prompt, deps.readers))
  const waits =
    !ready || !isToPrepare(prompt) || (await deps.outbox.savePrompt(job, ready.prompt, ready.note))
  if (!waits) return NOT_SENT
  const noted = ready?.note ? { ...job, note: ready.note } : job
  const message = deps.views.card(noted, prompt, place, deps.projects, deps.gitHubHost)
  if (!known && !inTime()) return NOT_SENT
  const { ts } = known ?? (await deps.outbound.post(to, message, postKey(job, "card")))
  const unread = ready?.prompt.unread
  if (unread) await tellInThread(deps, job, deps.views.unreadFiles(unread))
  await deps.outbox.cardPosted(job, ts)
  // A card that was found says what was true when it was posted: it is edited next.
  if (known) return { sure: true, againMs: 0 }
  return { sure: true, shown: { rev: job.rev, ...place } }
}

async function postClosing(
  deps: WriteDeps,
  { job, known, inTime }: Writing & Known,
): Promise<DeliveryResult> {
  if (!isEnded(job)) return { sure: true }
  if (!known && !inTime()) return NOT_SENT
  const to = { channel: job.channel, thread: threadOf(job) }
  const message = deps.views.closing(job, deps.gitHubHost)
  const { ts } = known ?? (await deps.outbound.post(to, message, postKey(job, "closing")))
  // The card's last edit is still to come. A reply that was found may say less than is known by now.
  return { sure: true, closing: ts, ...(known ? {} : { laterShown: job.later.rev }), againMs: 0 }
}

/** Once per pull request. If it is unclear whether it was posted, it is looked for first, like a closing reply. */
async function postReminder(
  deps: WriteDeps,
  { job, known, inTime }: Writing & Known,
): Promise<DeliveryResult> {
  if (!known && !inTime()) return NOT_SENT
  const to = { channel: job.channel, thread: threadOf(job) }
  const message = deps.views.reminder(job, deps.gitHubHost)
  const { ts } = known ?? (await deps.outbound.post(to, message, postKey(job, "reminder")))
  return { sure: true, reminder: ts }
}
