import type { Message } from "../../ports/message.ts"
import type { Range } from "../../visitors/range.ts"
import type { Missing } from "../../visitors/report.ts"
import { line } from "../blocks.ts"
import { cannotPostHere, type PostRefusal } from "../refusals.ts"
import { reason } from "./missing.ts"
import { rangeTitle } from "./words.ts"

/** When an answer takes longer than people wait without a word. */
export function readingMessage(range: Range): Message {
  return line(`Still reading the visitors of ${rangeTitle(range)}…`)
}

export function unavailableMessage(range: Range, why: Missing): Message {
  return line(`The visitors of ${rangeTitle(range)} cannot be shown now: ${reason(why)}.`)
}

/** The control belongs to a report that is no longer remembered. */
export function expiredMessage(): Message {
  return line("This report is too old for its buttons. Ask again with `/docs-visitors`.")
}

export function sharedMessage(): Message {
  return line("Shared in this channel.")
}

export function sharedBeforeMessage(): Message {
  return line("This report is shared in the channel already.")
}

/** Where it may be shared after all the button stays used. */
export function cannotShareMessage(refusal: PostRefusal): Message {
  return cannotPostHere(refusal, "share again", "ask for the report anew")
}

/** Something of ours broke; it is in the log. */
export function brokenMessage(): Message {
  return line(
    "The visitors cannot be shown now: something went wrong on our side. Try again in a minute.",
  )
}
