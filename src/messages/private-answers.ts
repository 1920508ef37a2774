import { ALLOWED_MORE } from "../jobs/job-keys.ts"
import type { Message } from "../slack/message-types.ts"
import { line, quote, textOf } from "./blocks.ts"
import { counted, foreignLine, mentions, ofProject } from "./mrkdwn.ts"

export const ANSWERS = {
  thanks: "You're welcome!",
  blank: "*What should change in the docs?* For example: fix the quickstart",
  never_mind: "OK. To take back a request that hasn't started: `/docs-agent cancel`",
  sent: "*Sent.*",
  not_sent: "*Not sent.*",
  not_asked:
    "*I'm not waiting for an answer.* A yes or no counts for a minute after I ask. After that, use the buttons or send your request again.",
  muted:
    "*Muted.* I won't mention you about this request. Its status above still updates. To undo this, mention me in its thread with `unmute`.",
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
  allowed_more: `*${ALLOWED_MORE} more requests are allowed this month.*`,
  month_over: "*That month is over.* Waiting requests start on their own.",
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

/** Maximum length of a command's text in an answer, in code points. */
const MAX_TYPED = 2900

/** Adds the text of a command that failed, which nothing else keeps. */
export function quoting({ text, blocks }: Message, typed = ""): Message {
  if (!typed.trim()) return { text, blocks }
  const said = textOf([text, foreignLine(typed, MAX_TYPED)], [])
  return { text: said, blocks: [...blocks, quote(typed, MAX_TYPED)] }
}

/** Tells a person that their request is not lost while it waits for a worker, and who can help. */
export function savedForLater(admins: readonly string[]): Message {
  const told =
    admins.length > 0
      ? `It'll start on its own. ${mentions(admins.slice(0, 3))} ${admins.length === 1 ? "has" : "have"} been told.`
      : "Tell the person who runs Docs Agent that no worker is running."
  return line(`*Your request is saved*, but it can't start right now. ${told}`)
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
