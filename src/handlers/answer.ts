import type { Log } from "../runtime/log.ts"
import { SlackError } from "../slack/errors.ts"
import type { Message } from "../slack/message.ts"
import { line } from "../views/refusals.ts"
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
export async function answer(
  deps: Pick<RouteDeps, "log" | "isStoreAway">,
  entry: string,
  work: () => Promise<Message | undefined>,
): Promise<Message | undefined> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<Message>((resolve) => {
    timer = setTimeout(() => resolve(slowMessage()), ANSWER_WITHIN_MS)
  })
  const done = work().catch((error: unknown) => {
    deps.log.error({ error, entry }, "a command failed")
    if (deps.isStoreAway(error)) return storeAwayMessage()
    if (error instanceof SlackError)
      return line(
        `:no_entry: Slack did not take the bot's answer (${error.code}). Try again in a minute.`,
      )
    return brokenMessage()
  })
  return Promise.race([done, late]).finally(() => clearTimeout(timer))
}
