import type { Missing } from "../../visitors/report.ts"
import type { Message } from "../blocks.ts"
import { line } from "../blocks.ts"
import { clockTime } from "../mrkdwn.ts"

/** Returns the reason as the end of a sentence. */
export function reason({ fault, retryAt }: Missing): string {
  switch (fault) {
    case "rate_limited":
      return `the hourly analytics limit has been reached; ${again(retryAt)}`
    case "own_share":
      return `you've reached your share of this hour's analytics lookups; ${again(retryAt)}`
    case "key_refused":
      return "the service rejected the API key, which may have expired; an admin can create a new one"
    case "forbidden":
      return "the API key isn't allowed to read visitor numbers; an admin can change its scope"
    case "not_found":
      return "the service doesn't know this project; an admin can check DOCS_PROJECT_ID"
    case "not_configured":
      return "this project isn't set up here anymore"
    case "unreachable":
      return "the documentation service couldn't be reached"
    case "interrupted":
      return "the documentation service took too long to answer"
    case "bad_request":
    case "server_error":
    case "broken_body":
      return "the documentation service returned an unexpected response"
    case "restarted":
      return "I was restarted; get the CSV again"
    case "unexpected":
      return "something went wrong on my side"
  }
}

function again(retryAt: number | undefined): string {
  return retryAt === undefined ? "try again later" : `try again around ${clockTime(retryAt)}`
}

export function unavailable(what: string, why: Missing): Message {
  return line(`*Couldn't load ${what}:* ${reason(why)}.`)
}

/** @param command gets a new one */
export function expired(what: string, command: string): Message {
  return line(`*This ${what} has expired.* Get a new one with \`/docs-visitors${command}\`.`)
}

export const TOO_LATE = line(
  "*I couldn't answer your `/docs-visitors` in time*, because I was down. Ask again.",
)

export const SHARED_BEFORE = line("Already shared in this channel.")
