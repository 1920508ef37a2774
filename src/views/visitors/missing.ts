import type { Missing } from "../../visitors/report.ts"
import { clockTime, foreignLine } from "../mrkdwn.ts"

/** Code points. */
const LONGEST_DETAIL = 150

/** Why something could not be read, as the end of a sentence: "… because <this>." */
export function reason({ fault, retryAt, detail }: Missing): string {
  switch (fault) {
    case "rate_limited":
      return `the hour's requests for visitor numbers are used up${untilThen(retryAt)}`
    case "own_share":
      return `you've used half of the hour's requests for visitor numbers, and others need the rest${untilThen(retryAt)}`
    case "key_refused":
      return "the service rejected the API key, which may have expired; an admin can create a new one"
    case "forbidden":
      return "the API key isn't allowed to read visitor numbers; an admin can change its scope"
    case "not_found":
      return "the service doesn't know this project; an admin can check DOCS_PROJECT_ID"
    case "not_configured":
      return "this project is no longer configured"
    case "unreachable":
      return "the documentation service couldn't be reached"
    case "interrupted":
      return "the documentation service took too long to answer"
    case "bad_request":
    case "server_error":
    case "broken_body":
      return `the documentation service sent an unusable answer${
        detail ? ` (${foreignLine(detail, LONGEST_DETAIL)})` : ""
      }`
    case "oversized":
      return "the documentation service sent more pages at once than it was asked for"
    case "unexpected":
      return "something went wrong on my side; an admin can find the reason in the log"
  }
}

function untilThen(retryAt: number | undefined): string {
  return retryAt === undefined ? "" : ` until around ${clockTime(retryAt)}`
}
