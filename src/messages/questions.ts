import type { Job } from "../jobs/job.ts"
import type { Message } from "../slack/message-types.ts"
import { type ButtonSpec, button, message } from "./blocks.ts"
import { link, plainLine } from "./mrkdwn.ts"
import { pullRequestLabel, safeUrl } from "./pull-request-words.ts"

export interface KeptRequest {
  words: string
  draft: string
}

export function aboutRequest(
  text: string,
  { words, draft }: KeptRequest,
  buttons: readonly Omit<ButtonSpec, "value">[],
): Message {
  const ofDraft = buttons.map((spec) => button({ ...spec, value: draft }))
  return message({ lines: [text], quoted: words, buttons: ofDraft })
}

export function duplicateQuestion(request: KeptRequest, card: string | undefined): Message {
  const where = card ? ` (${link(card, "view it")})` : ""
  return aboutRequest(`*You already made this request*${where}. Run it again?`, request, [
    { action: "run_anyway", label: "Run again" },
    { action: "never_mind", label: "Don't run" },
  ])
}

export function unclearQuestion(request: KeptRequest): Message {
  return aboutRequest("*Send this as a request?*", request, [
    { action: "run_anyway", label: "Send request" },
    { action: "never_mind", label: "Don't send" },
  ])
}

/** Actions of the buttons for a pull request: Slack wants different ones in one message. */
export const CHOOSE_PULL = [1, 2, 3, 4].map((n) => `choose_pull_${n}`)

/** Asks which of a thread's open pull requests a follow-up is about. @param jobs with a link each */
export function pullQuestion(
  { words, draft }: KeptRequest,
  jobs: readonly Pick<Job, "id" | "prLink">[],
  gitHubHost: string,
): Message {
  const buttons = jobs.slice(0, CHOOSE_PULL.length).map(({ id, prLink }, n) => {
    const url = safeUrl(prLink)
    const label = url ? pullRequestLabel(url, gitHubHost) : "Another one"
    return button({
      action: CHOOSE_PULL[n] ?? "",
      label: plainLine(label, 75),
      value: `${draft} ${id}`,
    })
  })
  const lines = ["*Which pull request should this change?*"]
  return message({ lines, quoted: words, buttons })
}

/** Asks a person to confirm before the bot forgets them. @param asked opaque id, for the answer */
export function forgetQuestion(asked: string): Message {
  return message({
    lines: [
      "*Delete your requests and name?* This includes your audit log entries. Queued requests will be cancelled; running ones will finish. This can't be undone.",
    ],
    small:
      "This doesn't delete Slack messages, data in the documentation service, or digests and alerts that you set up.",
    buttons: [
      button({ action: "forget_me", label: "Delete my data", value: asked, style: "danger" }),
      button({ action: "keep_me", label: "Keep my data", value: asked }),
    ],
  })
}
