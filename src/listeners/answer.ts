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
  /** If work after the acknowledgement takes longer than this, the bot tells the person, ms. */
  workWithinMs: number
}

export interface RouteDeps extends AttemptDeps {
  agent: AgentDeps
  /** The bot acknowledges by then, whatever the answer still waits for, ms. */
  answerWithinMs: number
}

/** The private answer to a command, a word, a click or a form. */
export interface Reply {
  /** An immediate answer, sent with the acknowledgement if Slack shows it, otherwise right after. */
  ack?: Message | undefined
  /** The block of a form's invalid input: the form stays open and shows `ack` beside it. */
  fault?: string | undefined
  /** Replaces the clicked message with the answer, or just deletes it if there is none. */
  replace?: boolean | undefined
  /** The person and place to answer, if not the ones that it came from. */
  told?: Told | undefined
  /**
   * Identifies the delivery, so that the bot answers it once, however often it comes; Slack's
   * `trigger_id` if absent.
   */
  once?: string | undefined
  /** Runs after the acknowledgement. The bot sends its result privately, unless the work answers by itself. */
  work?: (() => Promise<Message | undefined>) | (() => Promise<void>) | undefined
  /** Set if nobody expects an answer: if the work fails or takes long, the bot only logs it. */
  unasked?: boolean | undefined
}

/** The bot remembers answered deliveries for this long, ms; Slack's delayed events come up to 24 h late. */
export const REPEATED_WITHIN_MS = 25 * 3_600_000

/**
 * Acknowledges once the request is durable, but always in time for Slack, so that nobody sees its
 * `operation_timeout`. Then sends the rest of the answer and does the work.
 */
export async function answer(
  deps: RouteDeps,
  { ack }: Pick<Delivery, "ack">,
  caller: Caller,
  replying: Promise<Reply>,
): Promise<void> {
  // Slack shows a command's answer with the acknowledgement, but does not keep it in a direct
  // message.
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
  // Sends the late part of the answer even if Slack or the store was slow.
  const reply = await replied
  const isSaid = reply.fault !== undefined || (showsAck && reply === first)
  await follow(deps, caller, isSaid ? { ...reply, ack: undefined } : reply)
}

/** Returns the error for a form's input, as plain text: Slack shows no code marks or mentions there. */
function faultOf({ fault, ack }: Reply): object | undefined {
  if (fault === undefined || !ack) return undefined
  const words = ack.text.replaceAll("`", "").replace(/<@([A-Z0-9]+)>/g, "$1")
  return { response_action: "errors", errors: { [fault]: words } }
}

/** Sends the answer and does the work after the acknowledgement. */
async function follow(deps: RouteDeps, caller: Caller, reply: Reply): Promise<void> {
  const { agent } = deps
  const { replyUrl, triggerId } = caller
  const { ack, replace, told = caller, work, once: delivery = triggerId, unasked } = reply
  if (!ack && !replace && !work) return
  // A thief can replay a signed command or click, and Slack repeats events on its own.
  if (delivery !== undefined && !(await isFirst(deps, delivery))) return
  if (ack) await attempt(deps, caller, () => tell(agent, told, ack, replace))
  else if (replace && replyUrl) await attempt(deps, caller, () => agent.outbound.dismiss(replyUrl))
  if (work) await attempt(deps, caller, work, unasked)
}

/** Returns true while the store is away: the work that needs the store then fails and says so. */
async function isFirst({ agent }: RouteDeps, delivery: string): Promise<boolean> {
  return once(agent.store, delivery, REPEATED_WITHIN_MS).catch(() => true)
}

/** Runs work that Slack no longer waits for. Tells the person and the log if it fails or takes long. */
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
      // Slack may refuse any answer in the place where the person typed the command.
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

/** Logs why handling a payload failed. @returns the answer for the person */
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
