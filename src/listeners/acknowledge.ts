import { attempt, failureMessage, type Work } from "../asking/answer-later.ts"
import { raceAbort } from "../lib/time.ts"
import { PROMPT_INPUT } from "../messages/ask-form-view.ts"
import { quoting, say } from "../messages/private-answers.ts"
import { type Delivery, REPEATED_WITHIN_MS } from "../slack/intake.ts"
import type { Message } from "../slack/message.ts"
import type { Caller } from "../slack/payloads.ts"
import { type Told, tell } from "../slack/private-answer.ts"
import { isFirst, onceKey, takeTurnToAct } from "../store/claims.ts"
import type { AgentDeps } from "./deps.ts"

export interface Reply {
  /** Immediate answer, sent with the acknowledgement if Slack shows it, otherwise right after. */
  ack?: Message | undefined
  /** Block of a form's invalid input: the form stays open and shows `ack` beside it. */
  fault?: string
  /** True to replace the clicked message with the answer, or to delete it if there is none. */
  replace?: boolean
  /** Person and place to answer, if not the caller's. */
  told?: Told
  /** Id of what the bot answers only once, if not `trigger_id`. */
  once?: string
  /**
   * Work after the acknowledgement; the bot sends the message that it returns privately. Only shows
   * something, such as a form or numbers: a process that is killed then loses it.
   */
  work?: Work
}

/** Failure of a delivery that comes again while the first is still in work. */
class StillActing extends Error {
  override name = "StillActing"
}

/**
 * Acts on a delivery once, however often Slack or somebody who captured the signed request sends
 * it. If acting fails, or its process dies, a repeated delivery counts again. Requests need no such
 * claim: each derives its ids from its delivery. While Redis is unavailable, acting goes ahead, to
 * fail and say so.
 * @param id `trigger_id`, for example
 * @throws StillActing for an event: Slack sends it again later, but never a command or click
 */
export async function actOnce(
  { context: { store } }: Pick<AgentDeps, "context">,
  id: string | undefined,
  act: () => Promise<Reply>,
  isEvent = false,
): Promise<Reply> {
  if (id === undefined) return act()
  const turn = await takeTurnToAct(store, onceKey(`${id}.act`), REPEATED_WITHIN_MS).catch(
    () => undefined,
  )
  if (turn === "acting" && isEvent) throw new StillActing("The first delivery is still in work")
  if (turn === "acting" || turn === "done") return {}
  const reply = await act().catch(async (error: unknown) => {
    await turn?.failed()
    throw error
  })
  // The action is done, even if a repeated delivery will not know.
  await turn?.done().catch(() => {})
  return reply
}

/**
 * Acknowledges once `replying` has settled, but always in time for Slack, so that nobody sees its
 * `operation_timeout`. Then sends the rest of the answer and does the work.
 */
export async function answer(
  deps: AgentDeps,
  { ack }: Pick<Delivery, "ack">,
  caller: Caller,
  replying: Promise<Reply>,
): Promise<void> {
  // In a direct message Slack would not keep an answer sent with the acknowledgement.
  const showsAck = caller.entry.startsWith("/") && !caller.channel?.startsWith("D")
  const isForm = caller.entry === "form"
  // A form keeps its text; Slack keeps a command's nowhere.
  const failed = (message: Message): Reply =>
    isForm ? { ack: message, fault: PROMPT_INPUT } : { ack: quoting(message, caller.typed) }
  const replied = replying.catch((error) =>
    failed(failureMessage(deps.context, caller.entry, error)),
  )
  const slow: Reply = isForm || showsAck ? failed(say("slow")) : {}
  const late = AbortSignal.timeout(deps.context.settings.timing.answerWithinMs)
  const first = await raceAbort(late, replied, slow)
  await ack(showsAck ? first.ack : faultOf(first))
  const reply = await replied
  const isSaid = reply.fault !== undefined || (showsAck && reply === first)
  await follow(deps, caller, isSaid ? { ...reply, ack: undefined } : reply)
}

/** Returns the error for a form's input, as plain text, because Slack shows no markup there. */
function faultOf({ fault, ack }: Reply): object | undefined {
  if (fault === undefined || !ack) return undefined
  const words = ack.text.replaceAll("`", "").replace(/<@[A-Z0-9]+>/g, "an admin")
  return { response_action: "errors", errors: { [fault]: words } }
}

async function follow(deps: AgentDeps, caller: Caller, reply: Reply): Promise<void> {
  const { replyUrl } = caller
  const { ack, replace, told = caller, work, once: delivery = caller.triggerId } = reply
  if (!ack && !replace && !work) return
  // Whoever captured a signed request can replay it, and Slack repeats events on its own. While
  // Redis is unavailable, the work goes ahead: if it needs Redis, it fails and says so.
  const first =
    delivery === undefined ||
    (await isFirst(deps.context.store, delivery, REPEATED_WITHIN_MS).catch(() => true))
  if (!first) return
  if (ack) await attempt(deps.context, caller, () => tell(deps.context.slack, told, ack, replace))
  const isDone = !work || (await attempt(deps.context, caller, work))
  // Keeps the buttons if the work failed, so that the person can press again.
  if (!ack && replace && replyUrl && isDone)
    await attempt(deps.context, caller, () => deps.context.slack.outbound.dismiss(replyUrl))
}
