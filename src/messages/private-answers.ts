import type { Job } from "../jobs/job.ts"
import type { Message } from "../slack/message.ts"
import { type ButtonSpec, button, line, message, quote } from "./blocks.ts"
import {
  anAdmin,
  counted,
  foreignLine,
  link,
  mention,
  mentions,
  ofProject,
  plainLine,
} from "./mrkdwn.ts"
import { pullRequestLabel, safeUrl } from "./pull-request.ts"

export const ANSWERS = {
  thanks: "You're welcome!",
  blank: "*What should change in the docs?* For example: fix the quickstart",
  never_mind: "OK. To take back a request that hasn't started, say `cancel`.",
  muted:
    "*Muted.* I won't mention you about this request. Its status above still updates. To undo this, say `unmute`.",
  unmuted: "*Unmuted.* I'll mention you again about this request.",
  through_app:
    "*Nothing started.* You mentioned me through another app, and I only take requests that people send in Slack themselves. To ask, mention me in a message of your own.",
  edit_too_late:
    "*Your edit came too late*: the agent already has this request. To change it, mention me in its thread.",
  edit_too_late_here:
    "*Your edit came too late*: the agent already has this request. To change it, reply here.",
  nothing_to_cancel: "*Nothing to cancel*: none of your requests is waiting.",
  in_direct: "Let's continue here.",
  unknown_id:
    "*I couldn't find that request.* `/docs-agent status` shows the IDs of queued requests.",
  request_expired: "*This request has expired.* Send it as a new one.",
  expired: "*This message has expired.* Send your request again.",
  ten_more: "*Ten more requests can go this month.*",
  month_over: "*That month is over.* Requests that waited for the next one go now.",
  outdated: "*This button no longer works.* Run the command again to get a new one.",
  none_found: "*No pull request found.* The agent hasn't opened one for this request.",
  unread:
    "*Couldn't check right now*: the documentation service isn't responding. Try again in a minute.",
  review_addressed: "*This review was already sent to the agent.*",
  review_empty: "*Nothing to address*: there are no new comments from reviewers with write access.",
  form_blank: "Say what should change in the docs.",
  form_expired: "This form has expired. Copy your text, then open a new one.",
  form_channel:
    "I can't take requests in that channel. Choose another one, or ask an admin to allow it.",
  form_shut_out: "I'm not in that channel. Choose another one, or invite me there first.",
  store_away: "*Something's wrong on my end.* If I haven't posted anything in a minute, try again.",
  slow: "*This is taking longer than usual.* If I haven't posted anything in a few minutes, try again.",
  unconfirmed: "*Slack didn't confirm my answer.* If nothing appears here, try again.",
  queue_runs: "The queue is already running.",
  examining: "Checking the setup. Results will appear here.",
  audit_off: "*The audit log is off.* Set `AUDIT_DAYS` to turn it on.",
  audit_preparing: "Preparing the audit log. I'll DM you the file.",
  forgotten: "*Your requests and name have been deleted*, including your audit log entries.",
  forget_expired:
    "*This message has expired.* To delete your requests and name, type `/docs-agent forget-me`.",
} as const

export function say(what: keyof typeof ANSWERS): Message {
  return line(ANSWERS[what])
}

/** Says which request was taken back. @param words "" if the bot no longer has them */
export function cancelledMessage(words: string): Message {
  const which = words ? `: “${foreignLine(words, 80)}”` : " your latest request"
  return line(`*Cancelled*${which}`)
}

export function unknownCommand(name: string): Message {
  return line(
    `*I don't know \`${foreignLine(name, 40)}\`.* Use \`/docs-agent\` to request a change, or \`/docs-visitors\` for docs traffic.`,
  )
}

/** Adds the text of a command that failed, which nothing else keeps. */
export function quoting({ text, blocks }: Message, typed = ""): Message {
  if (!typed.trim()) return { text, blocks }
  return { text: `${text}\n${foreignLine(typed, 600)}`, blocks: [...blocks, quote(typed, 2900)] }
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

export function notYours(owners: readonly string[]): Message {
  return line(notYoursWords(owners))
}

function notYoursWords(owners: readonly string[]): string {
  return `*Only ${[...new Set(owners)].map(mention).join(", ")} or an admin can do that.*`
}

export function adminsOnly(admins: readonly string[], what: string): Message {
  const next =
    admins.length > 0
      ? `Ask ${anAdmin(admins)}.`
      : "Ask the person who runs Docs Agent to add you to `ADMIN_USERS`."
  return line(`*Only an admin can ${what}.* ${next}`)
}

/** Tells a person that their request is not lost while it waits for a worker, and who can help. */
export function savedForLater(admins: readonly string[]): Message {
  const told =
    admins.length > 0
      ? `It'll start on its own. ${mentions(admins.slice(0, 3))} ${admins.length === 1 ? "has" : "have"} been told.`
      : "Tell the person who runs Docs Agent that no worker is running."
  return line(`*Your request is saved*, but it can't start right now. ${told}`)
}

/** Effect of Slack's own Stop button on one job; `owners` if the job belongs to other people. */
export type Stopped = "cancelled" | "muted" | { owners: readonly string[] }

export function stoppedMessage(stopped: readonly Stopped[]): Message {
  const owners = stopped.flatMap((one) => (typeof one === "object" ? one.owners : []))
  const lines = [
    stopped.includes("cancelled") && "*Cancelled what hadn't started.*",
    stopped.includes("muted") &&
      "*The agent can't be stopped once it's working.* I won't mention you, but it may still open a pull request.",
    owners.length > 0 && notYoursWords(owners),
  ].filter(Boolean)
  return line(lines.join("\n") || "*Nothing to stop.* No request is running here.")
}

export function queueResumed(label: string | undefined): Message {
  return line(`Queue resumed${ofProject(label)}.`)
}

export function requestsDropped(dropped: number): Message {
  return line(`*Dropped ${counted(dropped, "request")}.* New requests will start as usual.`)
}

export function auditSent(entries: number): Message {
  return line(`*Audit log: ${counted(entries, "request")}.* Times are in UTC.`)
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
