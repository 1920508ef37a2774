import { mayActOn, type Profile } from "../access/rules.ts"
import type { Job } from "../jobs/job.ts"
import { overviewOf, STATUS_ROOM } from "../jobs/overview.ts"
import type { Message } from "../ports/message.ts"
import type { MessageEvent } from "../slack/payload-events.ts"
import { mentionedUsers, toPlainText, withoutMention } from "../text/plain-text.ts"
import { line } from "../views/blocks.ts"
import { notYoursMessage } from "../views/job-action.ts"
import { quotaMessage, statusMessage } from "../views/overview.ts"
import { blankMessage } from "../views/request-messages.ts"
import { admit, orSlow } from "./admit.ts"
import type { Reply } from "./answer.ts"
import { cancel } from "./cancel.ts"
import type { AgentDeps } from "./deps.ts"
import { askInThread, type Mention } from "./follow-up.ts"
import { plainText } from "./names.ts"
import { isOpen, openAnswer } from "./open-answer.ts"
import {
  type MentionWords,
  neverSaid,
  readMention,
  readThread,
  type ThreadWords,
} from "./parse-command.ts"
import { retry } from "./retry.ts"

/** A mention by somebody who may ask here. */
interface Admitted extends Mention {
  profile: Profile
}

/**
 * `@bot …` in a channel or thread, or a direct message. Everything is answered in the thread: a job
 * by its card, all else privately.
 */
export async function mention(deps: AgentDeps, event: MessageEvent): Promise<Reply> {
  const { user, thread, channel, ts, files } = event
  // Other apps' mentions would make two bots talk to each other for ever, our own would one.
  if (!user || event.bot || !isAsked(event)) return {}
  // Without its own name the bot would take "@bot status" for a prompt: Slack has to send it again.
  const me = await deps.whoWeAre().catch(orSlow)
  if (user === me.user) return {}
  // Of a group direct message the bot hears everything, and is asked only where it is named.
  if (event.channelType === "mpim" && !mentionedUsers(event.text).includes(me.user)) return {}
  const root = thread ?? ts
  const asked = { user, team: me.team, channel, ts, thread, root, via: event.slack }
  const said = withoutMention(event.text, me.user)
  const job = thread ? await deps.jobs.inThread(channel, root) : undefined
  const unnamed = toPlainText(said, new Map())
  const words = job ? readThread(unnamed) : readMention(unnamed)
  if (isOpen(words)) return { ack: openAnswer(words) }
  const entry = await admit(deps, asked)
  if ("refusal" in entry) return { ack: entry.refusal }
  // After the gate: each name may be a question to Slack, which must not be anybody's to ask.
  const nameOf = (user: string) => deps.profileForName(user).catch(orSlow)
  const text = await plainText(said, nameOf)
  const attached = { files, forwarded: await plainText(event.forwarded, nameOf) }
  const admitted = { ...asked, attached, profile: entry.profile }
  return job
    ? inThread(deps, admitted, readThread(text), job)
    : anywhere(deps, admitted, readMention(text))
}

/** Edits, joins and the like arrive as messages too; only what a person posts is a question. */
function isAsked({ subtype }: MessageEvent): boolean {
  return subtype === undefined || subtype === "file_share" || subtype === "thread_broadcast"
}

/** What means something only where there is a job. */
async function inThread(
  deps: AgentDeps,
  asked: Admitted,
  words: ThreadWords,
  job: Job,
): Promise<Reply> {
  switch (words.kind) {
    case "cancel":
      return { ack: await cancel(deps, asked.user, words.id, job) }
    case "retry":
    case "retry_asked":
      return { ack: await retry(deps, asked.user, job, words.kind === "retry_asked") }
    case "quiet":
      return { ack: await mute(deps, asked, job) }
    default:
      return anywhere(deps, asked, words, job)
  }
}

/** @param job the latest of the thread, if it has one */
async function anywhere(
  deps: AgentDeps,
  asked: Admitted,
  words: MentionWords,
  job?: Job,
): Promise<Reply> {
  if (isOpen(words)) return { ack: openAnswer(words) }
  switch (words.kind) {
    case "blank":
      return { ack: blankMessage() }
    case "status":
      return { ack: statusMessage(await overviewOf(deps, asked.user, STATUS_ROOM)) }
    case "quota":
      return { ack: quotaMessage(await overviewOf(deps, asked.user, STATUS_ROOM)) }
    case "prompt":
    case "unclear":
      return { ack: await askInThread(deps, asked, words, asked.profile, job) }
    default:
      return neverSaid(words)
  }
}

async function mute(deps: AgentDeps, asked: Mention, job: Job): Promise<Message> {
  if (!mayActOn(deps.rules, asked.user, job.user)) return notYoursMessage(job)
  await deps.jobs.setQuiet(asked.channel, asked.root)
  return line("Muted. I'll only post the result here.")
}
