import { SlackError } from "../slack/errors.ts"
import type { Message } from "../slack/message.ts"
import type { Outbound } from "../slack/outbound.ts"
import type { Job } from "./job.ts"
import type { JobStore, Said } from "./ports.ts"
import { tryAgain } from "./try-again.ts"

export interface TellDeps {
  jobs: Pick<JobStore, "replyUrl">
  outbound: Pick<Outbound, "respond" | "direct">
}

/** Where the bot may not post, the answer to the command itself still reaches the requester. */
export async function answerAlone(deps: TellDeps, job: Job, message: Message): Promise<Said> {
  const url = await deps.jobs.replyUrl(job.id)
  if (!url) return tellAlone(deps, job, message)
  try {
    await deps.outbound.respond(url, message)
    return toldAlone(job)
  } catch (error) {
    if (!(error instanceof SlackError)) throw error
    return tellAlone(deps, job, message)
  }
}

/**
 * Tells the requester in their direct messages. Nothing private can be looked up: after a crash it
 * may be said twice, as lost would be worse.
 */
export async function tellAlone(
  { outbound }: Pick<TellDeps, "outbound">,
  job: Job,
  message: Message,
): Promise<Said> {
  try {
    await outbound.direct(job.user, message)
  } catch (error) {
    if (!(error instanceof SlackError)) throw error
    // Given up: nobody is left to tell.
    if (error.verdict !== "give_up") return tryAgain(error)
  }
  return toldAlone(job)
}

function toldAlone(job: Job): Said {
  return { sure: true, closing: "elsewhere", shown: { rev: job.rev } }
}
