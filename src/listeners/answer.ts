import { SlackError } from "../errors/slack-error.ts"
import { fileRefused } from "../messages/audit.ts"
import type { Message } from "../messages/blocks.ts"
import { PROMPT_INPUT } from "../messages/modal.ts"
import { say } from "../messages/private.ts"
import { troubleMessage } from "../messages/refusals.ts"
import type { Log } from "../runtime/log.ts"
import { withTimeout } from "../runtime/time.ts"
import type { Delivery } from "../slack/delivery.ts"
import type { Caller } from "../slack/payloads.ts"
import { isStoreAway } from "../store/away.ts"
import { once } from "../store/limits.ts"
import type { AgentDeps } from "./deps.ts"
import { type Told, tell } from "./tell.ts"

interface AttemptDeps {
  agent: Pick<AgentDeps, "outbound" | "isOwnDirect" | "admins">
  log: Log
  /** Work after an acknowledgement says a word when it takes longer than this, ms. */
  workWithinMs: number
}

export interface RouteDeps extends AttemptDeps {
  agent: AgentDeps
  /** An acknowledgement goes out by then, whatever the answer waits for, ms. */
  answerWithinMs: number
}

/** The private answer to a command, a word, a click or a form. */
export interface Reply {
  /** An immediate answer: with the acknowledgement if Slack shows one, else right after it. */
  ack?: Message | undefined
  /** The block of a form's input that is at fault: the form stays open, and shows `ack` beside it. */
  fault?: string | undefined
  /** Replaces the message that was clicked; if there is nothing to say, that message just disappears. */
  replace?: boolean | undefined
  /** Whom to answer and where, if not in the place it came from. */
  told?: Told | undefined
  /** Identifies a delivery that is answered once, however often it comes; else Slack's `trigger_id`. */
  once?: string | undefined
  /** Runs after the acknowledgement. Its result is sent privately, unless it answers on its own. */
  work?: (() => Promise<Message | undefined>) | (() => Promise<void>) | undefined
  /** No answer to the work is expected: when it fails or takes long, only the log is told. */
  unasked?: boolean | undefined
}

/** Slack's delayed events come up to 24 h late, ms. */
export const REPEATED_WITHIN_MS = 25 * 3_600_000

/**
 * Acknowledges as soon as what was asked for is durable, or at the latest in time for Slack, so that nobody
 * sees Slack's own `operation_timeout`; says to Slack what is left to say; then does the work.
 */
export async function answer(
  deps: RouteDeps,
  { ack }: Pick<Delivery, "ack">,
  caller: Caller,
  replying: Promise<Reply>,
): Promise<void> {
  // Slack shows a command's answer with the acknowledgement, but in a direct message would not keep it.
  const showsAck = caller.entry.startsWith("/") && !caller.channel?.startsWith("D")
  const isForm = caller.entry === "form"
  const failed = (message: Message): Reply => ({
    ack: message,
    ...(isForm ? { fault: PROMPT_INPUT } : {}),
  })
  const replied = replying.catch((error) => failed(failureMessage(deps, caller.entry, error)))
  const slow = () => (isForm || showsAck ? failed(say("slow")) : {})
  const first = await withTimeout<Reply, Reply>(deps.answerWithinMs, replied, slow)
  await ack(showsAck ? first.ack : faultOf(first))
  // Slow as Slack or the store may have been, what is said later is still said.
  const reply = await replied
  const isSaid = reply.fault !== undefined || (showsAck && reply === first)
  await follow(deps, caller, isSaid ? { ...reply, ack: undefined } : reply)
}

/** Errors of a form are plain text: no code marks, no mentions. */
function faultOf({ fault, ack }: Reply): object | undefined {
  if (fault === undefined || !ack) return undefined
  const words = ack.text.replaceAll("`", "").replace(/<@([A-Z0-9]+)>/g, "$1")
  return { response_action: "errors", errors: { [fault]: words } }
}

/** Answers and works once Slack has its acknowledgement. */
async function follow(deps: RouteDeps, caller: Caller, reply: Reply): Promise<void> {
  const { agent } = deps
  const { replyUrl, triggerId } = caller
  const { ack, replace, told = caller, work, once: delivery = triggerId, unasked } = reply
  if (!ack && !replace && !work) return
  // A signed command or click can be sent again by a thief, and Slack repeats events on its own.
  if (delivery !== undefined && !(await isFirst(deps, delivery))) return
  if (ack) await attempt(deps, caller, () => tell(agent, told, ack, replace))
  else if (replace && replyUrl) await attempt(deps, caller, () => agent.outbound.dismiss(replyUrl))
  if (work) await attempt(deps, caller, work, unasked)
}

/** While the store is away the answer is yes: the work that needs it finds out, and says so. */
async function isFirst({ agent }: RouteDeps, delivery: string): Promise<boolean> {
  return once(agent.store, delivery, REPEATED_WITHIN_MS).catch(() => true)
}

/**
 * Slack no longer waits for this, so the person hears when it fails or takes long, and so does the log.
 */
export async function attempt(
  deps: AttemptDeps,
  caller: Caller,
  work: NonNullable<Reply["work"]>,
  unasked = false,
): Promise<void> {
  const { agent, log, workWithinMs: ms } = deps
  const { entry, user } = caller
  const reply = async (message: Message) => {
    if (unasked) return
    await tell(agent, caller, message)
      // Slack may refuse any answer where the command was typed.
      .catch(() => agent.outbound.direct(user, message))
      .catch((error: unknown) => log.warn({ error, entry }, "an answer couldn't be delivered"))
  }
  const timer = setTimeout(() => {
    log.warn({ entry, ms }, "handling a Slack request takes longer than expected")
    void reply(say("slow_answer"))
  }, ms)
  try {
    const message = await work()
    if (message) await tell(agent, caller, message)
  } catch (error) {
    await reply(failureMessage(deps, entry, error))
  } finally {
    clearTimeout(timer)
  }
}

/** Logs why an entry failed. @returns the answer for the person */
function failureMessage(deps: AttemptDeps, entry: string, error: unknown): Message {
  deps.log.error({ error, entry }, "handling a Slack request failed")
  const { admins } = deps.agent
  if (isStoreAway(error)) return say("store_away")
  if (error instanceof SlackError && error.method.startsWith("files."))
    return fileRefused(error.code)
  if (error instanceof SlackError)
    return troubleMessage({ is: "unanswerable", code: error.code }, admins)
  return troubleMessage({ is: "broken" }, admins)
}
