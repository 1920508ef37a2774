import type { SentForm } from "../../slack/payload-interactions.ts"
import type { Ack, Handle } from "../../slack/payload-processor.ts"
import type { Command } from "../../slack/payloads.ts"
import { SlackIsSlow } from "../admit.ts"
import { acknowledge, answer, inTime, type Reply } from "../answer.ts"
import { formFailed } from "../form.ts"
import { callerOf, isShownAtOnce } from "../tell.ts"
import type { VisitorsRouteDeps as Deps } from "../visitors/routes.ts"
import { defer } from "./deferred.ts"
import { replyTo } from "./dispatch.ts"

/**
 * What is done about a payload. It is acknowledged when what it asks for is durable, before anything is
 * said to Slack.
 */
export function createHandler(deps: Deps): Handle {
  return async (payload, body, ack) => {
    const reply = replyTo(deps, payload)?.catch((error: unknown) => {
      if (error instanceof SlackIsSlow) return defer(deps, payload, body)
      throw error
    })
    if (!reply) return
    if (payload.kind === "form") return answerForm(deps, payload, reply, ack)
    if (isShownAtOnce(payload)) return answerCommand(deps, payload, reply, ack)
    if (payload.kind !== "message") return acknowledge(deps, callerOf(payload), reply, ack)
    // One that fails before it is durable is not acknowledged, so that Slack sends it again.
    const durable = await reply
    await ack()
    await answer(deps, callerOf(payload), durable)
  }
}

async function answerCommand(
  deps: Deps,
  command: Command,
  replying: Promise<Reply>,
  ack: Ack,
): Promise<void> {
  const failed = (message: Reply["ack"]): Reply => ({ ack: message })
  await ack((await inTime(deps, command.entry, replying, failed)).ack)
  // A slow store may have let the acknowledgement go first; a failed one has been answered and logged.
  const { work, sorry } = await replying.catch((): Reply => ({}))
  await answer(deps, command, { work, sorry })
}

async function answerForm(
  deps: Deps,
  form: SentForm,
  replying: Promise<Reply>,
  ack: Ack,
): Promise<void> {
  const { faults } = await inTime(deps, form.entry, replying, formFailed)
  await ack(faults && { response_action: "errors", errors: faults })
  const reply = await replying.catch((): Reply => ({}))
  if (!reply.faults) await answer(deps, form, reply)
}
