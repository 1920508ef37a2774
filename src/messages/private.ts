import type { Message } from "./blocks.ts"
import { type ButtonSpec, button, line, message } from "./blocks.ts"
import { counted, foreignLine, link, mention } from "./mrkdwn.ts"

export const ANSWERS = {
  thanks: "You're welcome!",
  muted: "*Muted.* I won't mention you about this request. Its status above still updates.",
  which_to_cancel:
    "*Which request should I cancel?* Press *Cancel* on it, or type `/docs-agent cancel &lt;id&gt;`. `/docs-agent status` lists yours with their IDs.",
  in_direct: "Here's your request.",
  // Answers to a click or a verb that changes nothing in this state of a job.
  queued: "*Nothing to run again*: this is still queued.",
  creating: "*It's just starting.* Try again in a few seconds.",
  active: "*Nothing to run again*: the agent is still working on this.",
  ended: "*This request has already ended.*",
  too_late:
    "*Too late to cancel*: the agent is already working on this. *Mute* turns off its notifications.",
  unknown_id: "*I couldn't find that request.* `/docs-agent status` lists yours with their IDs.",
  too_old: "*Too old to run again*: I've deleted the text. Send it as a new request.",
  expired: "*This message has expired.* Send your request again.",
  review_addressed: "*This review was already sent to the agent.*",
  review_unread: "*I couldn't read the review.* Try again in a minute.",
  review_empty: "*Nothing to address*: there are no new comments from reviewers with write access.",
  // Reasons not to build a preview.
  merged: "*Already merged.* Nothing left to preview.",
  closed: "*Already closed.* Nothing left to preview.",
  no_previews:
    "*Previews aren't available here.* Your documentation service or its plan doesn't offer them.",
  preview_built: "*Already built.* See the message above.",
  // Errors in a form, which shows mentions as plain text.
  form_blank: "Say what should change in the docs.",
  form_expired: "This form has expired. Open a new one.",
  form_nowhere: "Choose a channel for updates.",
  form_shut_out: "I'm not in that channel. Choose another one, or invite me there first.",
  store_away: "*Something's wrong on my end.* If I haven't posted anything in a minute, try again.",
  slow: "*This is taking longer than usual.* If I haven't posted anything in a minute, try again.",
  slow_answer:
    "*This is taking longer than usual.* I'll answer here. If I haven't in a few minutes, try again.",
  // Answers to admins, and to people who want to be forgotten.
  queue_runs: "The queue is already running.",
  examining: "Checking Redis, Slack and the documentation service. Results will appear here.",
  audit_off: "*The audit log is off.* Set `AUDIT_DAYS` to turn it on.",
  audit_preparing: "Preparing the audit log. I'll DM you the file.",
  forgetting: "Deleting your requests and name. This takes a moment.",
  forget_expired:
    "*This message has expired.* To delete your requests and name, type `/docs-agent forget-me`.",
} as const

/** Words a fixed answer. @param card permalink of the job's card, if it helps to see it */
export function say(what: keyof typeof ANSWERS, card?: string): Message {
  return line(`${ANSWERS[what]}${card ? ` ${link(card, "View it")}` : ""}`)
}

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
  return aboutRequest(`*You made this request a few minutes ago*${where}. Run it again?`, request, [
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

export function notYours(owners: readonly string[]): Message {
  return line(notYoursWords(owners))
}

function notYoursWords(owners: readonly string[]): string {
  return `*Only ${[...new Set(owners)].map(mention).join(", ")} or an admin can do that.*`
}

/** The effect of Slack's own Stop button on one job of the thread; `owners` if the job is other people's. */
export type Stopped = "cancelled" | "muted" | "starting" | { owners: readonly string[] }

export function stoppedMessage(stopped: readonly Stopped[]): Message {
  const owners = stopped.flatMap((one) => (typeof one === "object" ? one.owners : []))
  const cancelled = stopped.filter((one) => one === "cancelled").length
  const lines = [
    cancelled > 1 && `*Cancelled ${cancelled} requests* before they started.`,
    cancelled === 1 && "*Cancelled* before it started.",
    stopped.includes("muted") &&
      "*Muted.* The agent can't be interrupted and may still open a pull request.",
    stopped.includes("starting") && "*It's just starting.* Press Stop again in a few seconds.",
    owners.length > 0 && notYoursWords(owners),
  ].filter(Boolean)
  return line(lines.join("\n") || "*Nothing to stop.* No request is running here.")
}

export function queueResumed(project: string): Message {
  return line(`Queue resumed for *${foreignLine(project, 40)}*.`)
}

export function requestsDropped(dropped: number): Message {
  return line(`*Dropped ${counted(dropped, "request")}.* New ones start normally.`)
}

export function auditSent(entries: number): Message {
  return line(`*Audit log: ${counted(entries, "request")}.* Times are in UTC.`)
}

/** Asks a person to confirm before the bot forgets them. @param asked opaque id, for the answer */
export function forgetQuestion(asked: string): Message {
  return line(
    "*Delete your requests and name?* This includes your audit entries, open forms and reports. Messages in Slack and data in the documentation service stay. Queued requests will be cancelled; running ones will still finish. This can't be undone.",
    [
      button({ action: "forget_me", label: "Delete my data", value: asked, style: "danger" }),
      button({ action: "keep_me", label: "Keep my data", value: asked }),
    ],
  )
}

export function forgottenMessage(facts: { cancelled: number; running: number }): Message {
  const { cancelled, running } = facts
  const text = [
    "*Your requests and name have been deleted*, including your audit entries.",
    cancelled > 0 && `I cancelled ${counted(cancelled, "queued request")}.`,
    running > 0 &&
      `${counted(running, "request")} ${running === 1 ? "is" : "are"} already running and will still finish.`,
    "I can't delete Slack messages or data held by the documentation service.",
  ]
  return line(text.filter(Boolean).join(" "))
}
