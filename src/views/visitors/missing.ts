import type { Missing } from "../../visitors/report.ts"
import { date } from "../mrkdwn.ts"

/** Why something could not be read, as the end of a sentence: "… because <this>." */
export function reason({ fault, retryAt }: Missing): string {
  switch (fault) {
    case "rate_limited":
      return `the hour's requests for visitor numbers are used up${
        retryAt === undefined ? "" : `; there is room again ${date(retryAt, "{time}")}`
      }`
    case "key_refused":
      return "the service refused our API key; it may have expired, an admin can make a new one"
    case "forbidden":
      return "our API key may not read visitor numbers; an admin can change its scope"
    case "not_found":
      return "the service does not know this project; an admin can check DOCS_PROJECT_ID"
    case "unreachable":
      return "the documentation service could not be reached"
    case "interrupted":
      return "the documentation service took too long to answer"
    case "bad_request":
    case "server_error":
    case "broken_body":
      return "the documentation service did not answer as it should"
  }
}
