import { SlackError } from "../errors/slack-error.ts"
import type { Log } from "../runtime/log.ts"
import type { Message } from "../slack/message.ts"
import { line } from "../views/blocks.ts"
import { brokenMessage, slowMessage, storeAwayMessage } from "../views/submission.ts"
import type { AgentDeps } from "./deps.ts"

export interface RouteDeps {
  agent: AgentDeps
  log: Log
  /** Is the error one of the store being away? */
  isStoreAway: (error: unknown) => boolean
}

/** Slack shows an error after 3 s; the answer needs a moment on its way. ms */
const ANSWER_WITHIN_MS = 2500

/**
 * A private answer, in time and whatever happens: a command whose handler fails or hangs must not
 * end in Slack's own `operation_timeout`.
 */
export function answer(
  deps: FailureDeps,
  entry: string,
  work: () => Promise<Message | undefined>,
): Promise<Message | undefined> {
  return answerAs(deps, entry, work, (message) => message)
}

type FailureDeps = Pick<RouteDeps, "log" | "isStoreAway">

/** The same for an entry whose answer is no message. */
export async function answerAs<T>(
  deps: FailureDeps,
  entry: string,
  work: () => Promise<T>,
  of: (message: Message) => T,
): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<T>((resolve) => {
    timer = setTimeout(() => resolve(of(slowMessage())), ANSWER_WITHIN_MS)
  })
  const done = work().catch((error: unknown) => of(failureMessage(deps, entry, error)))
  try {
    return await Promise.race([done, late])
  } finally {
    clearTimeout(timer)
  }
}

/** Writes down why an entry failed; what the person is told about it. */
export function failureMessage(deps: FailureDeps, entry: string, error: unknown): Message {
  deps.log.error({ error, entry }, "an entry failed")
  if (deps.isStoreAway(error)) return storeAwayMessage()
  if (error instanceof SlackError)
    return line(
      `:no_entry: Slack did not take the bot's answer (${error.code}). Try again in a minute.`,
    )
  return brokenMessage()
}
