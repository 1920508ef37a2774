import type { SlackError } from "../errors/slack-error.ts"
import type { DeliveryResult } from "./ports.ts"

/** After an answer that never came: Slack may still be applying it, so look a little later. */
export const LOOK_UP_AGAIN_MS = 5000
const LATER_MS = 3000

/** What a write that Slack did not take, for now or as far as is known, means for the next try. */
export function retryLater(error: SlackError): DeliveryResult {
  return error.verdict === "later"
    ? { sure: "untried", againMs: error.retryAfterMs ?? LATER_MS }
    : { sure: false, againMs: LOOK_UP_AGAIN_MS }
}
