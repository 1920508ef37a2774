import type { Message } from "../../ports/message.ts"
import type { Range } from "../../visitors/range.ts"
import type { Missing } from "../../visitors/report.ts"
import { line } from "../blocks.ts"
import { cannotPostHere, type PostRefusal } from "../post-refusals.ts"
import { rangeTitle } from "./format.ts"
import { reason } from "./missing.ts"

/** When an answer takes longer than people wait without a word. */
export function readingMessage(range: Range): Message {
  return line(`Still reading visitors for ${rangeTitle(range)}…`)
}

export function unavailableMessage(range: Range, why: Missing): Message {
  return line(`*Can't show visitors for ${rangeTitle(range)} right now:* ${reason(why)}.`)
}

/** The control belongs to a report that is no longer remembered. */
export function expiredMessage(): Message {
  return line("*This report has expired.* Get a new one with `/docs-visitors`.")
}

export function sharedMessage(): Message {
  return line("Shared in this channel.")
}

export function sharedBeforeMessage(): Message {
  return line("Already shared in this channel.")
}

/** Where it may be shared after all the button stays used. */
export function cannotShareMessage(refusal: PostRefusal, channel: string): Message {
  return cannotPostHere(refusal, channel, { again: "share again", unsure: "ask for a new report" })
}

/** Something of ours broke; it is in the log. */
export function brokenMessage(): Message {
  return line("*Something went wrong.* Try again in a minute.")
}
