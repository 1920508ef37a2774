import type { Timing } from "../config/timing.ts"
import type { Log } from "../lib/log.ts"
import type { Message } from "../messages/blocks.ts"
import { say } from "../messages/private-answers.ts"
import { troubleMessage } from "../messages/refusals.ts"
import { isStoreAway } from "../store/unavailable.ts"
import type { IsOwnDirect } from "./membership.ts"
import type { Caller } from "./payloads.ts"
import { refusalOf, SlackError } from "./slack-error.ts"
import type { Outbound } from "./web-outbound.ts"

/** Person to tell something, and where they typed or clicked. */
export type Told = Pick<Caller, "user" | "channel" | "thread" | "replyUrl" | "isOwnDirect">

export interface PrivatelyDeps {
  outbound: Pick<Outbound, "post" | "postEphemeral" | "respond" | "direct">
  isOwnDirect: IsOwnDirect
}

interface AttemptDeps extends PrivatelyDeps {
  admins: readonly string[]
  log: Log
  timing: Timing
}

/** Work for a person, who privately gets the message that it returns. */
export type Work = (() => Promise<Message | undefined>) | (() => Promise<void>)

/** Answers a person privately. @param replace whether to replace the message that they clicked */
export async function tell(deps: PrivatelyDeps, to: Told, message: Message, replace = false) {
  const { outbound } = deps
  const { user, channel, thread, replyUrl } = to
  if (replyUrl && (replace || !channel)) return outbound.respond(replyUrl, message, { replace })
  const own = await isInOwnDirect(deps, to)
  // A direct message may be between two people, and the other one would read the answer.
  if (!channel || own === undefined) return void (await outbound.direct(user, message))
  // Slack does not keep ephemeral messages in the bot's own direct message.
  if (own) return void (await outbound.post({ channel, thread }, message))
  if (replyUrl && !thread) return outbound.respond(replyUrl, message)
  // Slack's documents promise threads for response_urls only with public answers, so a thread gets
  // one only if Slack refuses the ephemeral message. If the outcome is unclear, the bot doesn't
  // send a second message.
  const refused = await refusalOf(outbound.postEphemeral({ channel, thread, user }, message))
  if (!refused || refused.verdict === "unknown") return
  if (!replyUrl) throw refused
  await outbound.respond(replyUrl, message, { thread })
}

/** Returns whether this is the bot's own direct message; undefined if Slack does not say. */
export async function isInOwnDirect(
  deps: Pick<PrivatelyDeps, "isOwnDirect">,
  { channel, isOwnDirect }: Told,
): Promise<boolean | undefined> {
  if (!channel?.startsWith("D")) return false
  return isOwnDirect ?? deps.isOwnDirect(channel)
}

/**
 * Runs work that Slack no longer waits for. Informs the person, and logs it, if the work fails or
 * takes long.
 * @param unasked true if nobody expects an answer, so that a failure is only logged
 * @returns whether the work succeeded
 */
export async function attempt(
  deps: AttemptDeps,
  caller: Told & Pick<Caller, "entry">,
  work: Work,
  unasked = false,
): Promise<boolean> {
  const { outbound, log, timing } = deps
  const { entry, user } = caller
  const reply = async (message: Message) => {
    if (unasked) return
    await tell(deps, caller, message)
      // The bot may not be allowed to post where the person is, so it sends a direct message.
      .catch(() => outbound.direct(user, message))
      .catch((error: unknown) => log.warn({ error, entry }, "answer not delivered"))
  }
  const ms = timing.workWithinMs
  const timer = setTimeout(() => {
    log.warn({ entry, ms }, "handling a Slack request is taking longer than expected")
    void reply(say("slow"))
  }, ms)
  try {
    const message = await work()
    if (message) await tell(deps, caller, message)
    return true
  } catch (error) {
    await reply(failureMessage(deps, entry, error))
    return false
  } finally {
    clearTimeout(timer)
  }
}

export function failureMessage({ log, admins }: AttemptDeps, entry: string, error: unknown) {
  log.error({ error, entry }, "handling a Slack request failed")
  if (isStoreAway(error)) return say("store_away")
  if (!(error instanceof SlackError)) return troubleMessage("broken", admins)
  const isFile = error.method.startsWith("files.")
  if (error.verdict === "unknown" && !isFile) return say("unconfirmed")
  return troubleMessage(isFile ? "file_rejected" : "unanswerable", admins, error.code)
}
