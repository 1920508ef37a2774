import { SlackError } from "../errors/slack-error.ts"
import { type DeferredPayloads, PayloadForgotten } from "../jobs/deferred-payloads.ts"
import type { Message } from "../ports/message.ts"
import type { Log } from "../runtime/log.ts"
import { withTimeout } from "../runtime/with-timeout.ts"
import type { Caller } from "../slack/payload-fields.ts"
import { line } from "../views/blocks.ts"
import {
  brokenMessage,
  slowMessage,
  slowWorkMessage,
  storeAwayMessage,
} from "../views/request-messages.ts"
import type { AgentDeps } from "./deps.ts"
import { isFirst } from "./first-time.ts"
import { type Told, tell } from "./tell.ts"

export interface RouteDeps {
  agent: AgentDeps
  deferred: DeferredPayloads
  log: Log
  /** Is the error one of the store being away? */
  isStoreAway: (error: unknown) => boolean
  /** Work after an acknowledgement says a word when it takes longer than this, ms. */
  workWithinMs: number
}

/** What a command, a word, a click or a form is answered, privately. */
export interface Reply {
  /** At once: with the acknowledgement, where Slack shows one, else right after it. */
  ack?: Message | undefined
  /** Of a form: it stays open with these faults, which say what `ack` says. */
  faults?: FormFaults | undefined
  /** Replaces the message that was clicked; if there is nothing to say, that message just disappears. */
  replace?: boolean | undefined
  /** Whom to answer and where, if not in the place it came from. */
  told?: Told | undefined
  /** What is answered once, however often it is delivered. */
  once?: string | undefined
  /** Runs after the acknowledgement and answers by itself. */
  work?: (() => Promise<void>) | undefined
  /** No answer to the work is expected: when it fails or takes long, only the log is told. */
  unasked?: boolean | undefined
  /** A message for failures that need one of their own. */
  sorry?: ((error: unknown) => Message | undefined) | undefined
}

/** Errors of a form's inputs, by block. */
type FormFaults = Readonly<Record<string, string>>

/** Slack shows an error after 3 s; the answer needs a moment on its way. ms */
const ANSWER_WITHIN_MS = 2500
/** Slack's delayed events come up to 24 h late, ms. */
const REPEATED_WITHIN_MS = 25 * 3_600_000

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
  const done = answer.catch((error: unknown) => of(failureMessage(deps, entry, error)))
  return withTimeout(ANSWER_WITHIN_MS, done, () => of(slowMessage()))
}

/**
 * The work of a reply. Slack waits for it no longer, so the person hears when it fails or takes long,
 * and so does the log.
 */
async function follow(
  deps: RouteDeps,
  caller: Caller,
  { work, sorry, unasked = false }: Reply,
): Promise<void> {
  const { entry } = caller
  const say = async (message: Message) => {
    if (unasked) return
    await tell(deps.agent, caller, message)
      // Slack may refuse any answer where the command was typed.
      .catch(() => deps.agent.outbound.direct(caller.user, message))
      .catch((error: unknown) => deps.log.warn({ error, entry }, "an answer couldn't be delivered"))
  }
  const timer = setTimeout(() => {
    deps.log.warn({ entry, ms: deps.workWithinMs }, "handling takes longer than expected")
    void say(slowWorkMessage())
  }, deps.workWithinMs)
  try {
    await work?.()
  } catch (error) {
    if (error instanceof PayloadForgotten) return
    const words = failureMessage(deps, entry, error)
    await say(sorry?.(error) ?? words)
  } finally {
    clearTimeout(timer)
  }
}

/**
 * Acknowledges as soon as what was asked for is durable, or at the latest in time for Slack; whatever
 * is said to Slack comes after that.
 */
export async function acknowledge(
  deps: RouteDeps,
  caller: Caller,
  replying: Promise<Reply>,
  ack: () => Promise<void>,
): Promise<void> {
  const replied = replying.catch(
    (error: unknown): Reply => ({ ack: failureMessage(deps, caller.entry, error) }),
  )
  await withTimeout(ANSWER_WITHIN_MS, replied, () => undefined)
  await ack()
  await answer(deps, caller, await replied)
}

/** Sends the answer and does the remaining work, once Slack has its acknowledgement. */
export async function answer(deps: RouteDeps, caller: Caller, reply: Reply): Promise<void> {
  const { ack, replace, told = caller, work, sorry, unasked } = reply
  if (ack && (await isNews(deps, reply)))
    await follow(deps, caller, { work: () => tell(deps.agent, told, ack, replace) })
  if (!ack && replace) await follow(deps, caller, { work: () => dismiss(deps, caller) })
  if (work) await follow(deps, caller, { work, sorry, unasked })
}

async function dismiss({ agent }: RouteDeps, { replyUrl }: Caller): Promise<void> {
  if (replyUrl) await agent.outbound.dismiss(replyUrl)
}

async function isNews({ agent }: RouteDeps, { once }: Reply): Promise<boolean> {
  return once === undefined || isFirst(agent.queue, once, REPEATED_WITHIN_MS)
}

/** Logs why an entry failed. @returns what the person is told about it */
export function failureMessage(deps: FailureDeps, entry: string, error: unknown): Message {
  deps.log.error({ error, entry }, "handling failed")
  if (deps.isStoreAway(error)) return storeAwayMessage()
  if (error instanceof SlackError)
    return line(`:no_entry: *Slack rejected my answer* (${error.code}). Try again in a minute.`)
  return brokenMessage()
}
