import { SlackError } from "../errors/slack-error.ts"
import { troubleMessage } from "../messages/trouble.ts"
import type { Message } from "../ports/message.ts"
import type { Log } from "../runtime/log.ts"
import { withTimeout } from "../runtime/time.ts"
import type { Caller, Command, Delivery } from "../slack/payloads.ts"
import type { AgentDeps } from "./deps.ts"
import { isFirst } from "./once.ts"
import { type Told, tell } from "./tell.ts"

export interface RouteDeps {
  agent: AgentDeps
  log: Log
  /** Is the error one of the store being away? */
  isStoreAway: (error: unknown) => boolean
  /** An acknowledgement goes out by then, whatever the answer waits for, ms. */
  answerWithinMs: number
  /** Work after an acknowledgement says a word when it takes longer than this, ms. */
  workWithinMs: number
}

/** The private answer to a command, a word, a click or a form. */
export interface Reply {
  /** At once: with the acknowledgement, where Slack shows one, else right after it. */
  ack?: Message | undefined
  /** Faults of a form, which stays open with them; they say what `ack` says. */
  faults?: FormFaults | undefined
  /** Replaces the message that was clicked; if there is nothing to say, that message just disappears. */
  replace?: boolean | undefined
  /** Whom to answer and where, if not in the place it came from. */
  told?: Told | undefined
  /** The delivery that is answered once, however often it comes. */
  once?: string | undefined
  /** Runs after the acknowledgement. What it returns is told privately, unless it answers by itself. */
  work?: (() => Promise<Message | undefined>) | (() => Promise<void>) | undefined
  /** No answer to the work is expected: when it fails or takes long, only the log is told. */
  unasked?: boolean | undefined
  /** A message for failures that need one of their own. */
  sorry?: ((error: unknown) => Message | undefined) | undefined
}

/** Errors of a form's inputs, by block. */
type FormFaults = Readonly<Record<string, string>>

/** Slack's delayed events come up to 24 h late, ms. */
export const REPEATED_WITHIN_MS = 25 * 3_600_000

/**
 * Acknowledges a command with its answer, which Slack shows to the person alone; in a direct message it
 * would not be kept, so there it is answered like a click.
 */
export async function answerCommand(
  deps: RouteDeps,
  { ack }: Pick<Delivery, "ack">,
  command: Command,
  replying: Promise<Reply>,
): Promise<void> {
  if (command.channel.startsWith("D")) return answerClick(deps, { ack }, command, replying)
  const failed = (message: Message): Reply => ({ ack: message })
  const first = await inTime(deps, command.entry, replying, failed)
  await ack(first.ack)
  // Slow as Slack or the store may have been, what is said later is still said; a failure was.
  const reply = await replying.catch((): Reply => ({}))
  await answer(deps, command, reply === first ? { ...reply, ack: undefined } : reply)
}

/** Acknowledges a form when its request is durable: it closes, or stays open with its faults. */
export async function answerForm(
  deps: RouteDeps,
  { ack }: Pick<Delivery, "ack">,
  form: Caller,
  replying: Promise<Reply>,
  failed: (message: Message) => Reply,
): Promise<void> {
  const { faults } = await inTime(deps, form.entry, replying, failed)
  await ack(faults && { response_action: "errors", errors: faults })
  const reply = await replying.catch((): Reply => ({}))
  if (!reply.faults) await answer(deps, form, reply)
}

/**
 * Acknowledges a click as soon as what was asked for is durable, or at the latest in time for Slack;
 * whatever is said to Slack comes after that.
 */
export async function answerClick(
  deps: RouteDeps,
  { ack }: Pick<Delivery, "ack">,
  caller: Caller,
  replying: Promise<Reply>,
): Promise<void> {
  const replied = replying.catch(
    (error: unknown): Reply => ({ ack: failureMessage(deps, caller.entry, error) }),
  )
  await withTimeout(deps.answerWithinMs, replied, () => undefined)
  await ack()
  await answer(deps, caller, await replied)
}

/**
 * Acknowledges a message when its request is durable. One that fails before that is not acknowledged,
 * so that Slack sends it again.
 */
export async function answerMessage(
  deps: RouteDeps,
  { ack }: Pick<Delivery, "ack">,
  message: Omit<Caller, "user"> & { user?: string | undefined; ts: string },
  replying: Promise<Reply>,
): Promise<void> {
  const reply = await replying
  await ack()
  // It may come again, as retry or as another event about the same message.
  const once = `word:${message.channel}:${message.ts}`
  await answer(deps, { ...message, user: message.user ?? "" }, { ...reply, once })
}

/**
 * An answer in time and whatever happens: an entry whose handler fails or hangs must not end in
 * Slack's own `operation_timeout`. @param of a message as this entry's answer
 */
async function inTime<T>(
  deps: RouteDeps,
  entry: string,
  answering: Promise<T>,
  of: (message: Message) => T,
): Promise<T> {
  const done = answering.catch((error: unknown) => of(failureMessage(deps, entry, error)))
  return withTimeout(deps.answerWithinMs, done, () =>
    of(troubleMessage({ is: "slow" }, deps.agent.admins)),
  )
}

/** Sends the answer and does the remaining work, once Slack has its acknowledgement. */
async function answer(deps: RouteDeps, caller: Caller, reply: Reply): Promise<void> {
  const { ack, replace, told = caller, work, sorry, unasked, once } = reply
  if (ack && (await isNews(deps, once)))
    await follow(deps, caller, { work: () => tell(deps.agent, told, ack, replace) })
  if (!ack && replace) await follow(deps, caller, { work: () => dismiss(deps, caller) })
  if (work) await follow(deps, caller, { work, sorry, unasked, once })
}

/**
 * The work of a reply. Slack waits for it no longer, so the person hears when it fails or takes long,
 * and so does the log.
 */
async function follow(
  deps: RouteDeps,
  caller: Caller,
  { work, sorry, unasked = false, once }: Reply,
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
    void say(troubleMessage({ is: "slow_answer" }, deps.agent.admins))
  }, deps.workWithinMs)
  try {
    const message = await work?.()
    if (message && (await isNews(deps, once))) await tell(deps.agent, caller, message)
  } catch (error) {
    const words = failureMessage(deps, entry, error)
    await say(sorry?.(error) ?? words)
  } finally {
    clearTimeout(timer)
  }
}

async function dismiss({ agent }: RouteDeps, { replyUrl }: Caller): Promise<void> {
  if (replyUrl) await agent.outbound.dismiss(replyUrl)
}

async function isNews({ agent }: RouteDeps, once: string | undefined): Promise<boolean> {
  return once === undefined || isFirst(agent.submitting.store, once, REPEATED_WITHIN_MS)
}

/** Logs why an entry failed. @returns what the person is told about it */
function failureMessage(deps: RouteDeps, entry: string, error: unknown): Message {
  deps.log.error({ error, entry }, "handling failed")
  const { admins } = deps.agent
  if (deps.isStoreAway(error)) return troubleMessage({ is: "store_away" }, admins)
  if (error instanceof SlackError)
    return troubleMessage({ is: "unanswerable", code: error.code }, admins)
  return troubleMessage({ is: "broken" }, admins)
}
