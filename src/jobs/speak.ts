import { SlackError } from "../slack/errors.ts"
import type { Message } from "../slack/message.ts"
import type { Outbound } from "../slack/outbound.ts"
import { type Ending, isEnded, type Job, type Prompt, type QueuePlace, threadOf } from "./job.ts"
import { nextStep, type Step } from "./next-step.ts"
import type { JobStore, Outbox, Said, Utterance } from "./ports.ts"
import { prepare, type ReadTalk } from "./prepare.ts"

/** What to write about jobs. The views decide the words. */
export interface JobViews {
  card(job: Job, prompt: Prompt | undefined, place: QueuePlace | undefined): Message
  closing(job: Job & { ending: Ending }): Message
  cannotPost(job: Job, code: string): Message
}

export interface SpeakDeps {
  outbox: Outbox
  jobs: Pick<JobStore, "endQueued" | "replyUrl">
  outbound: Pick<Outbound, "post" | "update" | "find" | "respond" | "direct">
  views: JobViews
  readTalk: ReadTalk
  now: () => number
  /**
   * A post is begun only within this time after the claim, ms: the lease must outlast the post's own
   * timeout, or another worker would post the same.
   */
  postWithinMs: number
}

/** After an answer that never came: Slack may still be applying it, so look a little later. */
export const LOOK_AGAIN_MS = 5000
const LATER_MS = 3000

/** What the utterances of one pass share. */
export interface Pass {
  placeOf: (job: Job) => Promise<QueuePlace | undefined>
  moved: Moved
  /** Who waits for the same limit of Slack's in this pass. */
  crowd: Map<string, number>
  /** May a post still be begun? Counted from before the claim: later, another may hold the lease. */
  inTime: () => boolean
}

/** Is what a card shows of a waiting job no longer true enough? */
export type Moved = (shown: Partial<QueuePlace>, is: QueuePlace) => boolean

/**
 * Says the next thing about one claimed job. Which way it errs: a post in doubt is looked up before it
 * is repeated; where the bot may not read, it is repeated, as a lost ending is worse than a double one.
 */
export async function speak(
  deps: SpeakDeps,
  { job, prompt }: Utterance,
  { placeOf, moved, crowd, inTime }: Pass,
): Promise<Said> {
  const place = await placeOf(job)
  const step = nextStep(job, place, place !== undefined && moved(job.shown, place))
  if (step === "none") return { sure: job.unsure === 0, shown: { rev: job.rev, ...place } }
  const waitMs = await deps.outbox.turn(step === "edit" ? "edit" : "post", job.channel)
  if (waitMs > 0) return { sure: "untried", againMs: queueUp(crowd, job, step, waitMs) }
  try {
    if (step === "edit") return await edit(deps, job, prompt, place)
    const known = await lookUp(deps, job, step)
    if (known === "later") return { sure: false, againMs: LOOK_AGAIN_MS }
    return step === "card"
      ? await postCard(deps, job, prompt, place, { known, inTime })
      : await postClosing(deps, job, { known, inTime })
  } catch (error) {
    if (error instanceof SlackError) return refused(deps, job, step, error)
    throw error
  }
}

/** What is known of an earlier attempt, and whether there is time for a new one. */
interface Attempt {
  known: { ts: string } | undefined
  inTime: () => boolean
}

/** Nothing was sent; the next claim has a fresh lease. */
const TOO_LATE: Said = { sure: "untried", againMs: 0 }

/** Those who wait for the same limit line up, instead of all coming back at the same moment. */
function queueUp(crowd: Map<string, number>, job: Job, step: Step, waitMs: number): number {
  const line = step === "edit" ? "edit" : job.channel
  const ahead = crowd.get(line) ?? 0
  crowd.set(line, ahead + 1)
  return waitMs * (ahead + 1)
}

/** Has an earlier attempt, whose answer never came, posted it after all? */
async function lookUp(deps: SpeakDeps, job: Job, step: "card" | "closing") {
  if (job.unsure === 0) return undefined
  const thread = step === "card" ? job.thread : threadOf(job)
  try {
    const found = await deps.outbound.find({ channel: job.channel, thread }, postKey(job, step))
    // Where the bot may not read, a post that may be lost is worse than one that may be double.
    return found === "absent" || found === "unreadable" ? undefined : found
  } catch (error) {
    if (error instanceof SlackError && error.verdict !== "give_up") return "later"
    if (error instanceof SlackError) return undefined
    throw error
  }
}

function postKey(job: Job, step: "card" | "closing") {
  return { job: job.id, part: step === "card" ? "card" : `closing ${job.round}` }
}

async function postCard(
  deps: SpeakDeps,
  job: Job,
  prompt: Prompt | undefined,
  place: QueuePlace | undefined,
  { known, inTime }: Attempt,
): Promise<Said> {
  const to = { channel: job.channel, thread: job.thread }
  const ready = prompt && (await prepare(job, prompt, deps.readTalk))
  if (ready && prompt.talk) await deps.outbox.prepared(job, ready.prompt, ready.note)
  const noted = ready?.note ? { ...job, note: ready.note } : job
  const message = deps.views.card(noted, prompt, place)
  if (!known && !inTime()) return TOO_LATE
  const { ts } = known ?? (await deps.outbound.post(to, message, postKey(job, "card")))
  await deps.outbox.carded(job, ts)
  return { sure: true, shown: { rev: job.rev, ...place } }
}

async function postClosing(deps: SpeakDeps, job: Job, { known, inTime }: Attempt): Promise<Said> {
  if (!isEnded(job)) return { sure: true }
  if (!known && !inTime()) return TOO_LATE
  const to = { channel: job.channel, thread: threadOf(job) }
  const message = deps.views.closing(job)
  const { ts } = known ?? (await deps.outbound.post(to, message, postKey(job, "closing")))
  // The card's last edit is still to come.
  return { sure: true, closing: ts, againMs: 0 }
}

async function edit(
  deps: SpeakDeps,
  job: Job,
  prompt: Prompt | undefined,
  place: QueuePlace | undefined,
): Promise<Said> {
  const card = { channel: job.channel, ts: job.card ?? "" }
  await deps.outbound.update(card, deps.views.card(job, prompt, place))
  return { sure: true, shown: { rev: job.rev, ...place } }
}

async function refused(deps: SpeakDeps, job: Job, step: Step, error: SlackError): Promise<Said> {
  if (error.verdict === "later") return { sure: "untried", againMs: error.retryAfterMs ?? LATER_MS }
  if (error.verdict === "unknown") return { sure: false, againMs: LOOK_AGAIN_MS }
  if (step === "edit") return { sure: true, shown: { rev: job.rev } }
  if (step === "card") return noCard(deps, job, error.code)
  return closeElsewhere(deps, job)
}

/** The bot may not post where it was asked: no job is spent, and the person is told privately. */
async function noCard(deps: SpeakDeps, job: Job, code: string): Promise<Said> {
  await deps.jobs.endQueued(job, "no_card")
  const message = deps.views.cannotPost(job, code)
  const url = await deps.jobs.replyUrl(job.id)
  try {
    if (url) await deps.outbound.respond(url, message)
    else await deps.outbound.direct(job.user, message)
  } catch (error) {
    if (!(error instanceof SlackError)) throw error
    if (url) await deps.outbound.direct(job.user, message).catch(ignoreSlack)
  }
  return { sure: true, shown: { rev: job.rev + 1 } }
}

/** The thread is gone or closed to the bot: the requester still hears the ending, once. */
async function closeElsewhere(deps: SpeakDeps, job: Job): Promise<Said> {
  if (isEnded(job)) await deps.outbound.direct(job.user, deps.views.closing(job)).catch(ignoreSlack)
  return { sure: true, closing: "elsewhere", shown: { rev: job.rev } }
}

/** The last resort failed too: nobody is left to tell. */
function ignoreSlack(error: unknown): void {
  if (!(error instanceof SlackError)) throw error
}
