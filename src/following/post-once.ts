import { tellUnread } from "../asking/tell-requesters.ts"
import type { Change } from "../jobs/change.ts"
import type { Context } from "../jobs/context.ts"
import { type Job, threadOf } from "../jobs/job.ts"
import type { Again, Held } from "../jobs/job-store.ts"
import { allAsks, openAsks } from "../jobs/rounds.ts"
import type { Message } from "../slack/message-types.ts"
import { orSlackError, SlackError } from "../slack/slack-error.ts"
import { hashOfMessage } from "../slack/write-to-slack.ts"

/** Maximum failures in a row (about two hours) before the bot gives up on a message. */
export const MAX_FAILURES = 14

interface Posting {
  /** Name of the message among the job's messages: `card`, `result <round id>` or `review <id>`. */
  part: string
  message: Message | undefined
  /** Returns what to store once Slack has it. `hash` is "" if the message is out of date. */
  posted: (job: Job, at: { ts: string; hash: string; now: number }) => Change
}

/**
 * Posts a message of a job once. Stores `posting` first: a later attempt that finds it looks for
 * the message before it posts again. If the bot may not read there, it posts again, because a
 * missing ending is worse than a duplicate. An ended job gets no card that has not arrived yet.
 */
export async function post(
  context: Context,
  held: Held,
  { part, message, posted }: Posting,
): Promise<Again> {
  const { job } = held
  const found = await lookUp(context, job)
  if (found === "later") return context.settings.timing.tries.lookUpAgainMs
  if (!message) return "done"
  if (part === "card" && job.state === "ended" && found === "absent") {
    await context.jobs.change(job.id, () => ({ set: { posting: undefined } }))
    return 0
  }
  const known = typeof found === "object" && job.posting === part ? found : undefined
  if (!known && job.posting !== part)
    await context.jobs.change(job.id, () => ({ set: { posting: part } }))
  const to = { channel: job.channel, thread: part === "card" ? job.thread : threadOf(job) }
  // Before the post, so that a mention in its thread finds the job as soon as people see the card.
  const prompts = part === "card" ? await context.jobs.promptsOf(openAsks(job)) : {}
  // Slack or Redis may have taken so long to answer that another worker has posted meanwhile.
  if (!known && !held.inTime()) return 0
  const { ts } = known ?? (await context.slack.unpaced.post(to, message, { job: job.id, part }))
  // A found message shows what was true when it was posted, so the bot edits it next.
  const hash = known ? "" : hashOfMessage(message)
  if (part === "card") await tellUnread(context, { job: { ...job, card: ts }, prompts })
  await context.jobs.change(job.id, ({ job: latest, now }) => posted(latest, { ts, hash, now }))
  return 0
}

async function lookUp(
  { slack, jobs }: Context,
  job: Job,
): Promise<{ ts: string } | "later" | "unreadable" | "absent"> {
  if (job.posting === undefined) return "absent"
  const thread = job.posting === "card" ? job.thread : threadOf(job)
  // Slack lists a thread from its beginning, and the search reads only so many messages.
  const since = job.card ?? allAsks(job)[0]?.ts
  const found = await slack.outbound
    .find({ channel: job.channel, thread, since }, { job: job.id, part: job.posting })
    .catch(orSlackError)
  if (!(found instanceof SlackError)) return found
  // A look-up that fails repeatedly must not hold the message back forever.
  if (found.verdict === "give_up" || job.failures >= MAX_FAILURES) return "unreadable"
  await jobs.change(job.id, ({ job: latest }) => ({ set: { failures: latest.failures + 1 } }))
  return "later"
}
