import { ALLOWED_MORE } from "../jobs/job-keys.ts"
import { MAX_BYTES, type UnreadFile, type UnreadReason } from "../slack/accepted-text-files.ts"
import type { Message } from "../slack/message-types.ts"
import { line, message, packed, quote, textOf } from "./blocks.ts"
import { anAdmin, counted, foreignLine, mentions, ofProject } from "./mrkdwn.ts"

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
  edit_too_long:
    "*Your edit is too long*, so the agent will get your earlier words. Shorten it, or send the rest after the agent finishes.",
  edit_project:
    "*Your edit can't change the project.* Cancel this request, then send a new one that begins with `project=`.",
  nothing_to_cancel: "*Nothing to cancel*: none of your requests is waiting.",
  in_direct: "Let's continue here.",
  unknown_id:
    "*I couldn't find that request.* `/docs-agent status` shows the IDs of queued requests.",
  request_expired: "*This request has expired.* Send it as a new one.",
  none_here: "*No request found in this thread.* If there was one, it has expired.",
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

const UNREAD: Record<UnreadReason, string> = {
  not_text: "it isn't a text file",
  too_large: `it's over ${MAX_BYTES / 1024} kB`,
  empty: "it's empty",
  no_permission: "I don't have permission to read files",
  not_shared: "I don't have access to it",
  unavailable: "I couldn't download it",
  no_room: "there was no room left for it",
}

/** Maximum number of files to name, as many as people can attach at once. */
const MAX_FILES = 10

/**
 * Lists the files of which the agent gets only the names.
 * @param files at least one
 * @param instead how to tell the agent what they contain
 */
export function unreadFilesMessage(
  files: readonly UnreadFile[],
  admins: readonly string[],
  instead = "If the content matters, describe it in a follow-up.",
) {
  const allow = files.some(({ why }) => why === "no_permission")
    ? `Ask ${anAdmin(admins)} to add the \`files:read\` permission. `
    : ""
  const next = `${allow}${instead}`
  const named = files.map(
    ({ name, why, kind }) =>
      `${name ? foreignLine(name, 80) : "an unnamed file"}: ${why === "not_text" && kind ? `it's a ${kind.replace("_", " ")}` : UNREAD[why]}`,
  )
  if (named.length === 1) return line(`*The agent can't see* ${named[0]}. ${next}`)
  const more = named.length > MAX_FILES ? [`…and ${named.length - MAX_FILES} more`] : []
  const head = `*The agent can't see ${files.length} of your files*:`
  const listed = named.slice(0, MAX_FILES).map((one) => `• ${one}`)
  return message({ lines: packed([head, ...listed, ...more, next]) })
}
