import { MOST_FAILURES, type SlackTries } from "../config/timing.ts"
import { orSlackError, SlackError } from "../errors/slack-error.ts"
import type { Message } from "../ports/message.ts"
import type { Outbound } from "../ports/outbound.ts"
import type { UnreadFile } from "./attached.ts"
import { ELSEWHERE, type Job, type QueuePlace, threadOf } from "./job.ts"
import type { Held, JobStore } from "./job-store.ts"
import { printOf, recipientsOf } from "./next-step.ts"
import { type PrepareDeps, prepare, type RefusedAsk } from "./prepare.ts"
import type { Words } from "./prompt.ts"
import { cardPosted, prepared } from "./transitions.ts"

/** Facts that a card shows. */
interface CardFacts {
  job: Job
  /** Words of the first request. */
  words: string
  place: QueuePlace | undefined
  now: number
}

/** Messages about jobs: facts in, a Slack payload out. */
export interface JobMessages {
  card(facts: CardFacts): Message
  result(job: Job, users: readonly string[]): Message
  review(job: Job): Message
  cannotPost(job: Job, words: Words): Promise<Message>
  refused(job: Job, refused: RefusedAsk, words: Words): Promise<Message>
  /** Attached files that the agent does not see; never empty. */
  unreadFiles(files: readonly UnreadFile[]): Message
}

export interface WriteDeps extends PrepareDeps {
  jobs: JobStore
  outbound: Pick<Outbound, "post" | "update" | "find" | "respond" | "direct" | "postEphemeral">
  messages: JobMessages
  replyUrl: (id: string) => Promise<string | undefined>
  /** How long a request waits before it is sent, ms. */
  delayMs: number
  tries: SlackTries
}

type Posted = "card" | "result" | "review"
type After = number | "done"

/** Looks up who asks and what they refer to, and tells those who may not ask. */
export async function prepareAsks(deps: WriteDeps, { job, words }: Held): Promise<After> {
  const found = await prepare(job, words, deps).catch(orSlackError)
  if (found instanceof SlackError) return found.retryAfterMs ?? deps.tries.laterMs
  if (!found) return 0
  for (const refused of found.refused) {
    // Before it is written down: told twice after a crash is better than never.
    const message = await deps.messages.refused(job, refused, words)
    await tellPrivately(deps, job, refused.ask.user, message)
  }
  const { delayMs } = deps
  await deps.jobs.change(job.id, ({ job: is, words: kept, now }) => {
    const refused = found.refused.map(({ ask }) => ask.id)
    const change = prepared(is, { allowed: found.allowed, refused, note: found.note, delayMs, now })
    // Words that were forgotten while they were read do not come back.
    const read = Object.entries(found.words).filter(([id]) => kept[id] !== undefined)
    return change && { ...change, words: Object.fromEntries(read) }
  })
  return 0
}

/**
 * Posts a message of a job's thread, once. That it is being posted is written down first; where that is
 * found later, an earlier attempt may have posted it, and it is looked for before it is repeated. Where
 * the bot may not read, it is repeated: a missing ending is worse than a double one.
 */
export async function post(
  deps: WriteDeps,
  held: Held,
  step: Posted | "seek",
  card: Message | undefined,
  place: QueuePlace | undefined,
): Promise<After> {
  const { job } = held
  const part = partOf(job, step === "seek" ? "card" : step)
  const found = job.posting === undefined ? "absent" : await lookUp(deps, job, job.posting)
  if (found === "later") return deps.tries.lookUpAgainMs
  const known = typeof found === "object" && job.posting === part ? found : undefined
  // A card that cannot be looked for may stand there and go on saying that the request waits.
  if (step === "seek" && found !== "unreadable") return adoptCard(deps, job, known)
  const message =
    part === "card"
      ? card
      : step === "result"
        ? deps.messages.result(job, recipientsOf(job))
        : deps.messages.review(job)
  if (!message) return "done"
  if (!known && job.posting !== part)
    await deps.jobs.change(job.id, () => ({ set: { posting: part } }))
  const to = { channel: job.channel, thread: part === "card" ? job.thread : threadOf(job) }
  const { ts } = known ?? (await deps.outbound.post(to, message, { job: job.id, part }))
  // A message that was found says what was true when it was posted: it is edited next.
  const print = known ? "" : printOf(message)
  if (part === "card") return afterCard(deps, held, { ts, print, place })
  await deps.jobs.change(job.id, ({ job: is }) => {
    const { round } = job
    if (step === "result")
      return {
        set: { result: { ts, round, users: recipientsOf(job), print }, failures: 0 },
        unset: ["posting"],
      }
    const { pull } = is
    // It may have been addressed while the post was on its way back.
    const review = pull?.review?.state === "due" && { ...pull.review, state: "posted" as const }
    return { set: pull && review ? { pull: { ...pull, review } } : {}, unset: ["posting"] }
  })
  return 0
}

/** Writes the card down and tells the requester what the agent does not see. */
async function afterCard(
  deps: WriteDeps,
  { job, words }: Held,
  card: { ts: string; print: string; place: QueuePlace | undefined },
): Promise<After> {
  const unread = job.asks.flatMap(({ id }) => words[id]?.unread ?? [])
  if (unread.length > 0)
    await tellPrivately(
      deps,
      { ...job, card: card.ts },
      job.user,
      deps.messages.unreadFiles(unread),
    )
  const { delayMs } = deps
  await deps.jobs.change(job.id, ({ job: is }) => cardPosted(is, { ...card, delayMs }))
  return 0
}

function partOf(job: Job, step: Posted): string {
  if (step === "card") return "card"
  return step === "result" ? `result ${job.round}` : `review ${job.pull?.review?.id ?? ""}`
}

/** Has an earlier attempt, whose answer never came, posted it after all? */
async function lookUp(
  { outbound, jobs }: WriteDeps,
  job: Job,
  part: string,
): Promise<{ ts: string } | "later" | "unreadable" | "absent"> {
  const thread = part === "card" ? job.thread : threadOf(job)
  const found = await outbound
    .find({ channel: job.channel, thread }, { job: job.id, part })
    .catch(orSlackError)
  if (found instanceof SlackError) {
    // A look-up that fails again and again must not keep the message for ever.
    if (found.verdict === "give_up" || job.failures >= MOST_FAILURES) return "unreadable"
    await jobs.change(job.id, ({ job: is }) => ({ set: { failures: is.failures + 1 } }))
    return "later"
  }
  return found
}

/** The job ended without a card that is known of. Should there be one, it is edited like any. */
async function adoptCard(
  { jobs }: WriteDeps,
  job: Job,
  known: { ts: string } | undefined,
): Promise<After> {
  await jobs.change(job.id, () => ({
    ...(known ? { set: { card: known.ts } } : {}),
    unset: ["posting"],
  }))
  return 0
}

/** Answers the command itself, which reaches the requester also where the bot may not post. */
export async function deliverByReplyUrl(deps: WriteDeps, held: Held): Promise<After> {
  const message = await deps.messages.cannotPost(held.job, held.words)
  const url = await deps.replyUrl(held.job.id)
  const refused = url ? await deps.outbound.respond(url, message).catch(orSlackError) : true
  return refused ? deliverDirectly(deps, held, message) : told(deps, held.job)
}

/**
 * Tells the requester in their direct messages. Nothing private can be looked up: after a crash it
 * may be said twice, as lost would be worse.
 */
export async function deliverDirectly(
  deps: Pick<WriteDeps, "outbound" | "jobs" | "tries">,
  { job }: Held,
  message: Message,
): Promise<After> {
  for (const user of recipientsOf(job)) {
    const said = await deps.outbound.direct(user, message).catch(orSlackError)
    // Given up: nobody is left to tell.
    if (said instanceof SlackError && said.verdict !== "give_up")
      return said.retryAfterMs ?? deps.tries.laterMs
  }
  return told(deps, job)
}

async function told({ jobs }: Pick<WriteDeps, "jobs">, { id, round }: Job): Promise<After> {
  await jobs.change(id, () => ({
    set: { result: { ts: ELSEWHERE, round, users: [], print: "" } },
    unset: ["posting"],
  }))
  return 0
}

/**
 * Tells one person privately where they asked. Slack shows an ephemeral message in a thread only where
 * the thread has a reply, and in the bot's own direct message everything is private. What cannot be
 * said there is said directly.
 */
export async function tellPrivately(
  { outbound, replyUrl }: Pick<WriteDeps, "outbound" | "replyUrl">,
  job: Job,
  user: string,
  message: Message,
): Promise<void> {
  const { channel } = job
  // Slack shows nobody an ephemeral message under a message without replies.
  const isBare = job.card === undefined && job.asks.some(({ ts }) => ts === job.thread)
  const thread = isBare ? undefined : threadOf(job)
  const url = user === job.user && job.round === 1 ? await replyUrl(job.id) : undefined
  const said = channel.startsWith("D")
    ? outbound.post({ channel, thread: job.thread }, message)
    : url !== undefined
      ? outbound.respond(url, message)
      : outbound.postEphemeral({ channel, thread, user }, message)
  const refused = await said.then(() => undefined, orSlackError)
  if (refused && refused.verdict !== "unknown")
    await outbound.direct(user, message).catch(orSlackError)
}
