import { SLACK_TRIES } from "../config/timing.ts"
import type { SlackError } from "../errors/slack-error.ts"
import type { DeliveryResult } from "./worker-ports.ts"

/** What a write that Slack did not take, for now or as far as is known, means for the next try. */
export function retryLater(error: SlackError): DeliveryResult {
  return error.verdict === "later"
    ? { sure: "untried", againMs: error.retryAfterMs ?? SLACK_TRIES.laterMs }
    : { sure: false, againMs: SLACK_TRIES.lookUpAgainMs }
}
