import type { Message } from "../ports/message.ts"
import { actions, type ButtonSpec, button, line, privateText, section } from "./blocks.ts"
import { foreignLine, link, mention } from "./mrkdwn.ts"
import { quote } from "./quote.ts"

/** A request that was not accepted and is kept, so that it is not lost. */
export interface KeptRequest {
  words: string
  /** The opaque id under which all of it is kept. */
  draft: string
}

/** Enough to know it by, and most requests are no longer. Code points. */
const WORDS_SHOWN = 600

/** Asks or says something about a request, with its words in a quote. */
export function aboutRequest(
  text: string,
  request: KeptRequest,
  buttons: readonly Omit<ButtonSpec, "value">[],
): Message {
  return {
    text: privateText(`${text}\n${foreignLine(request.words, WORDS_SHOWN)}`),
    blocks: [
      section(text),
      quote(request.words, WORDS_SHOWN),
      ...actions(buttons.map((spec) => button({ ...spec, value: request.draft }))),
    ],
  }
}

/** Asks about the same request within 15 minutes: nothing is spent before the person says so. */
export function duplicateQuestion(request: KeptRequest, card: string | undefined): Message {
  const where = card ? ` (${link(card, "view it")})` : ""
  return aboutRequest(`*You made this request a few minutes ago*${where}. Run it again?`, request, [
    { action: "run_anyway", label: "Run again" },
    { action: "never_mind", label: "Don't run" },
  ])
}

/** Asks about words that may be a slip. */
export function unclearQuestion(request: KeptRequest): Message {
  return aboutRequest("*Start a job with this?*", request, [
    { action: "run_anyway", label: "Send request" },
    { action: "never_mind", label: "Don't send" },
  ])
}

/** Refuses what only those who asked, or an admin, may do. */
export function notYours(owners: readonly string[]): Message {
  return line(notYoursWords(owners))
}

export function notYoursWords(owners: readonly string[]): string {
  return `*Only ${[...new Set(owners)].map(mention).join(", ")} or an admin can do that.*`
}

/** Answers a verb about a request where it is not clear which one. */
export function whichRequest(verb: "cancel" | "retry" | "mute"): Message {
  return line(WHICH[verb])
}

const WHICH: Record<Parameters<typeof whichRequest>[0], string> = {
  cancel:
    "*Which request should I cancel?* Press *Cancel* on it, or type `/docs-agent cancel &lt;id&gt;`. `/docs-agent status` lists yours with their IDs.",
  retry:
    "*Which request should I run again?* Press *Run again* on it, or mention me in its thread with `retry`.",
  mute: "*Which request should I mute?* Mention me in its thread with `mute`.",
}

/** Answers *Mute* and the word for it. */
export function mutedMessage(): Message {
  return line("*Muted.* I won't mention you about this request. What's above stays up to date.")
}

/** Says why a click or a verb changes nothing. */
export type NotNow =
  | "too_late"
  | "starting"
  | "still_queued"
  | "still_working"
  | "ended"
  | "unknown_id"
  | "too_old"
  | "project_removed"
  | "expired"
  | "no_pull_request_yet"
  | "review_addressed"
  | "review_unread"
  | "review_empty"

/** @param card address of the job's card, where it is known */
export function notNow(why: NotNow, card?: string): Message {
  return line(`${NOT_NOW[why]}${card ? ` ${link(card, "View it")}` : ""}`)
}

const NOT_NOW: Record<NotNow, string> = {
  too_late:
    "*Too late to cancel*: the agent is already working on this. *Mute* turns off its notifications.",
  starting: "*It's just starting.* Try again in a few seconds.",
  still_queued: "*Nothing to run again*: this is still queued.",
  still_working: "*Nothing to run again*: the agent is still working on this.",
  ended: "*This request has already ended.*",
  unknown_id: "*I couldn't find that request.* `/docs-agent status` lists yours with their IDs.",
  too_old: "*Too old to run again*: I've deleted the text. Send it as a new request.",
  project_removed: "*This project was removed.* Send the request to another project.",
  expired: "*This has expired.* Send your request again.",
  no_pull_request_yet: "*Still no pull request.* I checked just now.",
  review_addressed: "*This review is already being addressed.*",
  review_unread: "*I couldn't read the review.* Try again in a minute.",
  review_empty: "*Nothing to address*: no reviewer with write access left a comment.",
}
