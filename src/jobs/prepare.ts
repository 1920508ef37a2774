import { SlackError } from "../errors/slack-error.ts"
import type { Job } from "./job.ts"
import type { Prompt } from "./ports.ts"
import { quoteTalk, type TalkMessage } from "./talk.ts"

/** Messages of a thread, oldest first, without the bot's own. */
export interface Talk {
  messages: readonly TalkMessage[]
  /** False for the newest messages of a thread that is too long to be read. */
  isWhole: boolean
}

/** "unreadable": no permission. */
export type ReadTalk = (
  place: { channel: string; thread: string },
  range: { from?: string; until: string },
) => Promise<Talk | "unreadable">

/** Slack will be asked again when it says so; whatever else goes wrong, the job starts without. */
function orUnreadable(error: unknown): "unreadable" {
  if (error instanceof SlackError && error.verdict !== "later") return "unreadable"
  throw error
}

/** The note for a card whose thread could not be read. */
const UNREAD_NOTE = "Started without the earlier messages: the bot may not read this thread."

/**
 * Reads the thread's talk into the prompt, once, before the job can start. It is done by the worker,
 * so that the mention itself is answered at once.
 */
export async function prepare(
  job: Job,
  prompt: Prompt,
  read: ReadTalk,
): Promise<{ prompt: Prompt; note?: string }> {
  const { talk, ...rest } = prompt
  if (!talk || !job.thread) return { prompt: rest }
  const found = await read({ channel: job.channel, thread: job.thread }, talk).catch(orUnreadable)
  if (found === "unreadable") return { prompt: rest, note: UNREAD_NOTE }
  const context = [prompt.context, quoteTalk(found.messages, found.isWhole)]
    .filter(Boolean)
    .join("\n\n")
  return { prompt: context ? { ...rest, context } : rest }
}
