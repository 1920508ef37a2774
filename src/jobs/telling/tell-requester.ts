import { refusalOf, type SlackError } from "../../errors/slack-error.ts"
import type { Message } from "../../messages/blocks.ts"
import { refusedAccess } from "../../messages/refusals.ts"
import { unreadFilesMessage } from "../../messages/unread-files.ts"
import { type PrivatelyDeps, tell } from "../../slack/privately.ts"
import type { JobsDeps } from "../deps.ts"
import { type Ask, type Job, threadOf } from "../job.ts"
import type { RefusedAsk } from "../prepare.ts"
import type { Prompted } from "../prompt/prompt.ts"

export type TellingDeps = PrivatelyDeps & Pick<JobsDeps, "replyUrl">

/**
 * Tells one person privately where they asked, or in their direct messages if that fails.
 * @param to who made a request, or somebody who made none
 * @returns the refusal if Slack accepts the message in neither place but may later
 */
export async function tellPrivately(
  deps: TellingDeps,
  job: Job,
  to: Pick<Ask, "user"> & Partial<Ask>,
  message: Message,
) {
  const { channel } = job
  const { user, id } = to
  // Slack shows nobody an ephemeral message under a message without replies.
  const isBare =
    !channel.startsWith("D") &&
    job.card === undefined &&
    job.asks.some(({ ts }) => ts === job.thread)
  const replyUrl = id && (await deps.replyUrl(id))
  const thread = isBare || replyUrl ? undefined : threadOf(job)
  const refused = await refusalOf(tell(deps, { user, channel, thread, replyUrl }, message))
  if (!refused || refused.verdict === "unknown") return undefined
  const last = await refusalOf(deps.outbound.direct(user, message))
  return last?.verdict === "later" ? last : undefined
}

/** Tells a requester that they may not ask here; keeps the request. @returns as `tellPrivately` */
export async function tellRefused(
  deps: JobsDeps,
  of: Prompted,
  { ask, refusal }: RefusedAsk,
): Promise<SlackError | undefined> {
  const { user } = ask
  const message = refusedAccess(
    refusal,
    { user, admins: deps.admins },
    await keepAsk(deps, of, ask),
  )
  return tellPrivately(deps, of.job, ask, message)
}

/** Tells each requester which of their own files the agent does not see. */
export async function tellUnread(deps: JobsDeps, { job, prompts }: Prompted): Promise<void> {
  for (const ask of job.asks) {
    const unread = prompts[ask.id]?.unread ?? []
    if (unread.length > 0)
      await tellPrivately(deps, job, ask, unreadFilesMessage(unread, deps.admins))
  }
}

/** Stores a request that was not started, so that its requester can send it again. */
export async function keepAsk({ drafts }: JobsDeps, { job, prompts }: Prompted, ask?: Ask) {
  const prompt = prompts[ask?.id ?? ""]
  if (!ask || !prompt) return undefined
  const { project, channel, thread } = job
  const draft = await drafts.save({ project, channel, thread, user: ask.user, prompt })
  return { words: prompt.words, draft }
}
