import { setTimeout as delay } from "node:timers/promises"
import type { z } from "zod"
import { actOnce, isFirstAnswer } from "../asking/act-once.ts"
import { noteQuestion } from "../asking/kept-requests.ts"
import { attempt, failureMessage, type Reply } from "../asking/work-after-ack.ts"
import type { Context } from "../jobs/context.ts"
import { PROMPT_INPUT } from "../messages/ask-form-view.ts"
import { quoting, say } from "../messages/private-answers.ts"
import { tell } from "../slack/ephemeral.ts"
import { type Delivery, deliveryOf, parsePayload, type Received } from "../slack/intake.ts"
import type { Message } from "../slack/message-types.ts"
import type { Caller } from "../slack/payloads.ts"
import type { On } from "./verbs.ts"

type Listener = (received: Received) => Promise<void>

/** Makes listeners of use cases. */
export function listenersIn(context: Context) {
  function on<Payload extends Caller>(shape: z.ZodType<Payload>, handle: On<Payload>): Listener {
    return async (received) => {
      const payload = parsePayload(shape, received)
      await answer(context, deliveryOf(received.context), payload, handle(payload))
    }
  }

  /** Listens to an event. If it can't be acted on, nothing acknowledges it: Slack sends it again. */
  function onEvent<Payload extends Omit<Caller, "user"> & { user?: string | undefined }>(
    shape: z.ZodType<Payload>,
    handle: On<Payload>,
  ): Listener {
    return async (received) => {
      const event = parsePayload(shape, received)
      const reply = Promise.resolve(await handle(event))
      const caller = { ...event, user: event.user ?? "" }
      await answer(context, deliveryOf(received.context), caller, reply)
    }
  }

  function once<Payload extends Caller>(handle: On<Payload>): On<Payload> {
    return (payload) => actOnce(context, payload.triggerId, () => handle(payload))
  }

  return { on, onEvent, once }
}

/** Latest acknowledgement in ms, while the bot tells a person something: Slack waits 3 s for it. */
const ACK_WITHIN_MS = 2800

/**
 * Acknowledges once `replying` has settled, or when a person's click, command or form would time out
 * in Slack. Then sends the rest of the answer and does the work. An event's reply has settled before
 * the call, however long that took: Slack sends an event again.
 */
async function answer(
  context: Context,
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
  const outcome = replying.then(
    (reply) => ({ reply, isDone: true }),
    (error) => ({ reply: failed(failureMessage(context, caller.entry, error)), isDone: false }),
  )
  const slow = { reply: failed(say("slow")), isDone: false }
  const mustAckAt = performance.now() + ACK_WITHIN_MS
  const late = delay(context.settings.timing.answerWithinMs, slow, { ref: false })
  const first = await Promise.race([outcome, late])
  const warning = first.isDone || isForm || showsAck ? undefined : first.reply.ack
  // If the process dies after the acknowledgement, Slack sends nothing again, and the person must
  // not wait for an answer.
  if (warning) {
    const telling = attempt(context, caller, async () => warning)
    await Promise.race([telling, delay(mustAckAt - performance.now(), undefined, { ref: false })])
  }
  await ack(showsAck ? first.reply.ack : inputError(first.reply))
  const { reply } = await outcome
  // A reply that came after the acknowledgement is still unsaid, even if the form could have shown it.
  const isShown = reply.fault !== undefined || showsAck || warning !== undefined
  const isSaid = reply === first.reply && isShown
  await follow(context, caller, isSaid ? { ...reply, ack: undefined } : reply)
}

/** Returns the error for a form's input, as plain text, because Slack shows no markup there. */
function inputError({ fault, ack }: Reply): object | undefined {
  if (fault === undefined || !ack) return undefined
  const words = ack.text.replaceAll("`", "").replace(/<@[A-Z0-9]+>/g, "an admin")
  return { response_action: "errors", errors: { [fault]: words } }
}

async function follow(context: Context, caller: Caller, reply: Reply): Promise<void> {
  const { replyUrl } = caller
  const { ack, question, replace, told = caller, work, once: delivery = caller.triggerId } = reply
  if (!ack && !replace && !work) return
  // A captured signed request can be replayed, and Slack repeats events on its own. While
  // Redis is unavailable, the work goes ahead: if it needs Redis, it fails and says so.
  const first = delivery === undefined || (await isFirstAnswer(context, delivery).catch(() => true))
  if (!first) return
  if (ack)
    await attempt(context, caller, async () => {
      const at = await tell(context.slack, told, ack, replace)
      if (at && question) await noteQuestion(context.store, told.user, question, at)
    })
  const isDone = !work || (await attempt(context, caller, work))
  // Keeps the buttons if the work failed, so that the person can press again.
  if (!ack && replace && replyUrl && isDone)
    await attempt(context, caller, () => context.slack.outbound.dismiss(replyUrl))
}
