import { type DocsError, type DocsFault, orDocsError } from "../docs-service/docs-error.ts"
import type { Context } from "../jobs/context.ts"
import { isKeyFault, type KeyFault } from "../jobs/pause-record.ts"
import { line } from "../messages/blocks.ts"
import { FAULTS } from "../messages/fault-words.ts"
import { anAdmin, clockTime } from "../messages/mrkdwn.ts"
import type { Message } from "../slack/message-types.ts"
import { currentTime } from "../store/script.ts"

/** Reason why numbers are missing. */
export interface Missing {
  fault: DocsFault | "unexpected"
  /** Time in ms from which another try makes sense. */
  retryAt?: number | undefined
}

export function missingOf({ fault, retryAfterMs }: DocsError, now: number): Missing {
  return { fault, retryAt: retryAfterMs === undefined ? undefined : now + retryAfterMs }
}

const BROKEN_ANSWER =
  "the documentation service returned an unexpected response. Try again in a minute. If it keeps happening, tell {who}"
/** Reasons, and what to do, after a colon and before a period. */
const REASONS: Readonly<Record<Exclude<Missing["fault"], KeyFault>, string>> = {
  rate_limited: "the hourly analytics limit has been reached. {again}",
  own_share: "you've used your share of the hourly analytics limit. {again}",
  not_found: "the documentation service can't find this project. Ask {who} to check the project ID",
  not_configured: "this project was removed from Docs Agent. Choose another one",
  unreachable: "the documentation service isn't responding. Try again in a minute",
  interrupted: "the documentation service didn't finish answering. Try again in a minute",
  bad_request: BROKEN_ANSWER,
  server_error: BROKEN_ANSWER,
  broken_body: BROKEN_ANSWER,
  unexpected: "something went wrong on my end. Try again. If it keeps happening, tell {who}",
}

/** Writes why numbers are missing. @param admins to mention, in private answers only */
export function reason({ fault, retryAt }: Missing, admins: readonly string[] = []): string {
  if (isKeyFault(fault)) return FAULTS[fault].report(anAdmin(admins))
  const when = retryAt === undefined ? "later" : `around ${clockTime(retryAt)}`
  const words = REASONS[fault].replace("{who}", () => anAdmin(admins))
  return words.replace("{again}", () => `Try again ${when}`)
}

export function unavailable(what: string, why: Missing, admins: readonly string[]): Message {
  return line(`*Couldn't load ${what}*: ${reason(why, admins)}.`)
}

/** Reads and shows numbers, or returns why these can't be loaded. @param what their name */
export async function orNotLoaded(
  { store, settings }: Context,
  what: string,
  show: () => Promise<Message | undefined>,
): Promise<Message | undefined> {
  try {
    return await show()
  } catch (error) {
    const missing = missingOf(orDocsError(error), await currentTime(store))
    return unavailable(what, missing, settings.access.admins)
  }
}

/** Says that buttons no longer work. @param command that makes a new message with buttons */
export function expired(what: string, command: string): Message {
  return line(`*This ${what} has expired.* Get a new one with \`${command}\`.`)
}

/** Texts for `cannotPostHere` when Slack did not confirm that a report was shared. */
export const NOT_SHARED = {
  again: "share it again",
  unsure: "*I'm not sure that worked.* If nothing appears here, get a new report and share it.",
}

export const SHARED_BEFORE = line("*Already shared in this channel.*")
