import { SlackError } from "../errors/slack-error.ts"
import type { QueueStore } from "../jobs/ports.ts"
import type { Message } from "../ports/message.ts"
import type { Log } from "../runtime/log.ts"
import type { Caller } from "../slack/payload-fields.ts"
import type { Click, Shortcut } from "../slack/payload-interactions.ts"
import { line } from "../views/blocks.ts"
import {
  brokenMessage,
  slowMessage,
  slowWorkMessage,
  storeAwayMessage,
} from "../views/submission.ts"
import type { AgentDeps } from "./deps.ts"
import { tell } from "./tell.ts"

export interface RouteDeps {
  agent: AgentDeps
  log: Log
  /** Is the error one of the store being away? */
  isStoreAway: (error: unknown) => boolean
  /** Work after an acknowledgement says a word when it takes longer than this, ms. */
  workWithinMs: number
}

/** What a command or a word is answered, privately. */
export interface Reply {
  /** At once: with the acknowledgement, where Slack waits for one. */
  ack?: Message | undefined
  /** After that; it answers by itself. */
  work?: (() => Promise<void>) | undefined
  /** Words for a failure of the work that deserves its own. */
  sorry?: ((error: unknown) => Message | undefined) | undefined
}

/** Slack shows an error after 3 s; the answer needs a moment on its way. ms */
const ANSWER_WITHIN_MS = 2500
/** A signature is good for five minutes, on clocks that may differ by as much, ms. */
const REPLAYED_WITHIN_MS = 15 * 60_000

type FailureDeps = Pick<RouteDeps, "log" | "isStoreAway">

/**
 * An answer in time and whatever happens: an entry whose handler fails or hangs must not end in
 * Slack's own `operation_timeout`. @param of a message as this entry's answer
 */
export async function inTime<T>(
  deps: FailureDeps,
  entry: string,
  answer: Promise<T>,
  of: (message: Message) => T,
): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<T>((resolve) => {
    timer = setTimeout(() => resolve(of(slowMessage())), ANSWER_WITHIN_MS)
  })
  const done = answer.catch((error: unknown) => of(failureMessage(deps, entry, error)))
  try {
    return await Promise.race([done, late])
  } finally {
    clearTimeout(timer)
  }
}

/**
 * The work of a reply. Slack waits for it no longer, so the person hears when it fails or takes long,
 * and so does the log.
 */
export async function follow(
  deps: RouteDeps,
  caller: Caller,
  { work, sorry }: Reply,
): Promise<void> {
  const { entry } = caller
  const say = (message: Message) =>
    tell(deps.agent, caller, message)
      // The place of the command may be what does not take it.
      .catch(() => deps.agent.outbound.direct(caller.user, message))
      .catch((error: unknown) => deps.log.warn({ error, entry }, "an answer is lost"))
  const timer = setTimeout(() => {
    deps.log.warn({ entry, ms: deps.workWithinMs }, "an entry takes long")
    void say(slowWorkMessage())
  }, deps.workWithinMs)
  try {
    await work?.()
  } catch (error) {
    const words = failureMessage(deps, entry, error)
    await say(sorry?.(error) ?? words)
  } finally {
    clearTimeout(timer)
  }
}

/** A click, or a shortcut: whatever happens the person is told. */
export function caught<Payload extends Click | Shortcut>(
  handler: (deps: RouteDeps, payload: Payload) => Promise<void>,
) {
  return async (deps: RouteDeps, payload: Payload): Promise<Reply> => {
    try {
      await handler(deps, payload)
    } catch (error) {
      const entry = "action" in payload ? payload.action : payload.entry
      const words = failureMessage(deps, entry, error)
      await tell(deps.agent, payload, words).catch(() => {})
    }
    return {}
  }
}

/** Writes down why an entry failed; what the person is told about it. */
export function failureMessage(deps: FailureDeps, entry: string, error: unknown): Message {
  deps.log.error({ error, entry }, "an entry failed")
  if (deps.isStoreAway(error)) return storeAwayMessage()
  if (error instanceof SlackError)
    return line(`:no_entry: *Slack rejected my answer* (${error.code}). Try again in a minute.`)
  return brokenMessage()
}

/**
 * Is this the first time that this very command came? Slack sends a command once; whoever got hold of
 * a signed one can send it again, and what it changed or said in public must not be done twice.
 * While the store is away the answer is yes: the work that needs it finds out, and says so.
 */
export async function isFirstTime(
  queue: Pick<QueueStore, "once">,
  { triggerId }: { triggerId: string },
): Promise<boolean> {
  return queue.once(`command:${triggerId}`, REPLAYED_WITHIN_MS).catch(() => true)
}
