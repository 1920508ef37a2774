import type { Context } from "../jobs/context.ts"
import { say } from "../messages/private-answers.ts"
import { troubleMessage } from "../messages/refused-requests.ts"
import { type Told, tell } from "../slack/ephemeral.ts"
import type { Message } from "../slack/message-types.ts"
import type { Caller, Click } from "../slack/payloads.ts"
import { SlackError } from "../slack/slack-error.ts"
import { isStoreAway } from "../store/server-state.ts"

export interface Reply {
  /** Immediate answer, sent with the acknowledgement if Slack shows it, otherwise right after. */
  ack?: Message | undefined
  /** Block of a form's invalid input: the form stays open and shows `ack` beside it. */
  fault?: string
  /** Draft that `ack` may ask about: `yes` or `no` takes the buttons from a message that stays. */
  question?: string
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

/** Family of buttons and menus by their `action_id`: what a click on each does. */
export type Clicks<Room> = Readonly<Record<string, (room: Room, click: Click) => Promise<Reply>>>

/** Work for a person, who privately gets the message that it returns. */
export type Work = (() => Promise<Message | undefined>) | (() => Promise<void>)

/**
 * Runs work that Slack no longer waits for. Informs the person, and logs it, if the work fails or
 * takes long.
 * @param unasked true if nobody expects an answer, so that a failure is only logged
 * @returns whether the work succeeded
 */
export async function attempt(
  context: Context,
  caller: Told & Pick<Caller, "entry">,
  work: Work,
  unasked = false,
): Promise<boolean> {
  const { slack, settings, log } = context
  const { entry, user } = caller
  const reply = async (message: Message) => {
    if (unasked) return
    await tell(slack, caller, message)
      // The bot may not be allowed to post where the person is, so it sends a direct message.
      .catch(() => slack.outbound.direct(user, message))
      .catch((error: unknown) => log.warn({ error, entry }, "answer not delivered"))
  }
  const ms = settings.timing.workWithinMs
  const timer = setTimeout(() => {
    log.warn({ entry, ms }, "handling a Slack request is taking longer than expected")
    void reply(say("slow"))
  }, ms)
  try {
    const message = await work()
    if (message) await tell(slack, caller, message)
    return true
  } catch (error) {
    await reply(failureMessage(context, entry, error))
    return false
  } finally {
    clearTimeout(timer)
  }
}

export function failureMessage({ log, settings }: Context, entry: string, error: unknown) {
  const { admins } = settings.access
  log.error({ error, entry }, "handling a Slack request failed")
  if (isStoreAway(error)) return say("store_away")
  if (!(error instanceof SlackError)) return troubleMessage("broken", admins)
  const isFile = error.method.startsWith("files.")
  if (error.verdict === "unknown" && !isFile) return say("unconfirmed")
  return troubleMessage(isFile ? "file_rejected" : "unanswerable", admins, error.code)
}
