import { type ActionResult, cancel, mute, retry } from "../jobs/actions.ts"
import type { Job } from "../jobs/job.ts"
import { overviewOf } from "../jobs/overview.ts"
import { submit } from "../jobs/submit.ts"
import { line } from "../messages/blocks.ts"
import { greeting } from "../messages/greeting.ts"
import { quotaMessage, statusMessage } from "../messages/overview.ts"
import { mutedMessage, type NotNow, notNow, notYours, whichRequest } from "../messages/private.ts"
import type { Message } from "../ports/message.ts"
import type { SmallTalk } from "../text/small-talk.ts"
import type { AgentDeps } from "./deps.ts"

/** Somebody, and where they say something. */
export interface Place {
  channel: string
  thread?: string | undefined
  user: string
}

/** Lists this person's requests. */
export async function status(deps: AgentDeps, user: string): Promise<Message> {
  return statusMessage({ ...deps.listing, overview: await overviewOf(deps.overview, user) })
}

/** Says whether this person may start a request now, and if not, when. */
export async function quota(deps: AgentDeps, user: string): Promise<Message> {
  return quotaMessage({ ...deps.listing, overview: await overviewOf(deps.overview, user) })
}

/** Takes back a request by its id, or what this person has waiting in the thread. */
export async function cancelByWord(
  deps: AgentDeps,
  place: Place,
  id: string | undefined,
): Promise<Message | undefined> {
  const job = id ?? (await ownJob(deps, place))?.id
  if (job === undefined) return whichRequest("cancel")
  return answerOf(deps, "cancel", await cancel(deps, { job, user: place.user }))
}

/** Runs the thread's latest request of this person again. */
export async function retryByWord(deps: AgentDeps, place: Place): Promise<Message | undefined> {
  const job = await ownJob(deps, place)
  if (!job) return undefined
  return answerOf(deps, "run_again", await retry(deps, job.id, place.user))
}

/** Leaves this person alone in the thread: the card is kept up to date, and nothing is posted for them. */
export async function muteByWord(deps: AgentDeps, place: Place): Promise<Message | undefined> {
  const job = await ownJob(deps, place)
  if (!job) return undefined
  await mute(deps, job.id, place.user)
  return mutedMessage()
}

/** The latest job of the thread that this person asked in, else the thread's latest. */
async function ownJob(
  { jobs }: Pick<AgentDeps, "jobs">,
  { channel, thread, user }: Place,
): Promise<Job | undefined> {
  if (thread === undefined) return undefined
  const found = await jobs.inThread(channel, thread)
  const own = found.find(({ job }) => job.asks.some((ask) => ask.user === user))
  return (own ?? found[0])?.job
}

/** Answers a click or a verb; nothing where the card shows what came of it. */
export function answerOf(
  deps: Pick<AgentDeps, "overview">,
  what: "cancel" | "run_again" | "look_again" | "start_separately" | "preview" | "edit",
  result: ActionResult,
): Message | undefined {
  switch (result.result) {
    case "done":
      return undefined
    case "not_yours":
      return notYours(result.owners)
    case "expired":
      return notNow(what === "cancel" ? "unknown_id" : "too_old")
    case "not_now": {
      const { job } = result
      const card = job.card && deps.overview.permalink(job.channel, job.card, job.thread)
      return notNow(notNowOf(what, job.state), card || undefined)
    }
  }
}

function notNowOf(what: Parameters<typeof answerOf>[1], state: Job["state"]): NotNow {
  if (state === "ended") return "ended"
  if (state === "creating") return "starting"
  if (what === "cancel") return "too_late"
  return state === "queued" ? "still_queued" : "still_working"
}

/** Answers `yes` and `no` to a question of the bot's; undefined where nothing was asked. */
export async function answerQuestion(
  deps: AgentDeps,
  place: Place,
  isYes: boolean,
): Promise<"answered" | undefined> {
  const id = await deps.drafts.asked(place)
  if (id === undefined) return undefined
  const draft = await deps.drafts.find(place.user, id)
  if (draft && isYes)
    await submit(deps.submitting, { ...draft, delivery: `draft:${id}`, anyway: true })
  return "answered"
}

/** Answers words that ask for no change of the docs; a nod needs no answer. */
export function smallTalkAnswer(of: SmallTalk): Message | undefined {
  if (of === "thanks") return line("You're welcome!")
  return of === "nod" ? undefined : greeting()
}
