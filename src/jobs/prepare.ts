import { SlackError } from "../errors/slack-error.ts"
import type { ReadFile } from "../ports/files.ts"
import { readAttached } from "./attached.ts"
import type { Job } from "./job.ts"
import type { Prompt } from "./ports.ts"
import { quoteTalk, type TalkMessage } from "./talk.ts"

/** Messages of a thread, oldest first, without the bot's own. */
interface Talk {
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
const UNREAD_NOTE = "Started without the earlier messages: this thread can't be read."

export interface Readers {
  readTalk: ReadTalk
  readFile: ReadFile
}

/** Does the prompt refer to something in Slack that was not read yet? */
export function isToPrepare({ talk, files }: Prompt): boolean {
  return talk !== undefined || files !== undefined
}

/**
 * Reads the thread's talk and what was attached into the prompt, once, before the job can start. It is
 * done by the worker, so that the mention itself is answered at once.
 */
export async function prepare(
  job: Job,
  { talk, files, ...prompt }: Prompt,
  { readTalk, readFile }: Readers,
): Promise<{ prompt: Prompt; note?: string }> {
  const found = talk && job.thread ? await talkOf(job, job.thread, talk, readTalk) : undefined
  const attached = files && (await readAttached(files, readFile))
  const quoted = found === "unreadable" ? undefined : found
  const context = [prompt.context, quoted, attached?.context].filter(Boolean).join("\n\n")
  return {
    prompt: {
      ...prompt,
      ...(context ? { context } : {}),
      ...(attached && attached.unread.length > 0 ? { unread: attached.unread } : {}),
    },
    ...(found === "unreadable" ? { note: UNREAD_NOTE } : {}),
  }
}

async function talkOf(
  { channel }: Job,
  thread: string,
  range: NonNullable<Prompt["talk"]>,
  read: ReadTalk,
): Promise<string | undefined> {
  const found = await read({ channel, thread }, range).catch(orUnreadable)
  return found === "unreadable" ? found : quoteTalk(found.messages, found.isWhole)
}
