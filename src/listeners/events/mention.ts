import { quoteForwarded } from "../../jobs/talk.ts"
import { helpMessage } from "../../messages/overview.ts"
import { blankMessage } from "../../messages/refusals.ts"
import type { Message } from "../../ports/message.ts"
import type { MessageEvent } from "../../slack/payloads.ts"
import { mentionedUsers, toPlainText, withoutMention } from "../../text/plain-text.ts"
import { admit } from "../admit.ts"
import type { Reply } from "../answer.ts"
import { ask, type Incoming, tooLong } from "../ask.ts"
import type { AgentDeps } from "../deps.ts"
import {
  answerQuestion,
  cancelByWord,
  muteByWord,
  type Place,
  quota,
  retryByWord,
  smallTalkAnswer,
  status,
} from "../verbs.ts"
import { readMention, readThread, type Words } from "../words.ts"

/**
 * `@bot …` in a channel or thread, or a direct message. Everything is answered in the thread: a request
 * by its card, all else privately.
 */
export async function mention(deps: AgentDeps, event: MessageEvent): Promise<Reply> {
  const { user, thread, channel, ts } = event
  // Other apps' mentions would make two bots talk to each other for ever, our own would one.
  if (!user || event.bot || !isAsked(event)) return {}
  // Without its own name the bot would take "@bot status" for a request: Slack has to send it again.
  const me = await deps.whoWeAre()
  if (user === me.user) return {}
  // The bot hears all of a group direct message, and is asked only where it is named.
  if (event.channelType === "mpim" && !mentionedUsers(event.text).includes(me.user)) return {}
  const said = withoutMention(event.text, me.user)
  const text = toPlainText(said, new Map())
  const latest = thread === undefined ? [] : await deps.jobs.inThread(channel, thread)
  const words = latest.length > 0 ? readThread(text) : readMention(text)
  const place = { channel, user, thread: thread ?? ts }
  if (words.kind !== "prompt" && words.kind !== "unclear" && words.kind !== "too_long")
    return { work: () => verb(deps, place, words) }
  const asked = latest.flatMap(({ job }) => job.asks.flatMap((one) => one.ts ?? []))
  const incoming = incomingOf(event, { user, team: me.team, said, since: asked.toSorted().at(-1) })
  if (words.kind === "too_long") return { ack: await tooLong(deps, incoming, words) }
  return { ack: await ask(deps, incoming, words) }
}

/** Edits, joins and the like arrive as messages too; only what a person posts is a question. */
function isAsked({ subtype }: MessageEvent): boolean {
  return subtype === undefined || subtype === "file_share" || subtype === "thread_broadcast"
}

/**
 * The request of a message. Names are written in, and the thread and files are read, by the worker: Slack
 * is asked for nothing before the acknowledgement. @param since the last message that was a request
 */
function incomingOf(
  { channel, ts, thread, files, forwarded, slack }: MessageEvent,
  {
    user,
    team,
    said,
    since,
  }: { user: string; team: string; said: string; since: string | undefined },
): Incoming {
  const names = mentionedUsers(said + forwarded)
  const passedOn = toPlainText(forwarded, new Map())
  return {
    team,
    channel,
    user,
    thread: thread ?? ts,
    ts,
    prompt: {
      words: "",
      ...(thread ? { talk: { until: ts, ...(since ? { from: since } : {}) } } : {}),
      ...(passedOn ? { context: quoteForwarded(passedOn) } : {}),
      ...(files.length > 0 ? { files: [...files] } : {}),
      ...(names.length > 0 ? { names } : {}),
    },
    // Not the event id: one message can be delivered under two of them.
    delivery: `message:${channel}:${ts}`,
    via: slack,
  }
}

/** Everything but a request. */
async function verb(
  deps: AgentDeps,
  place: Place,
  words: Exclude<Words, { kind: "prompt" | "unclear" | "too_long" }>,
): Promise<Message | undefined> {
  if (words.kind === "small_talk") return smallTalkAnswer(words.of)
  const entry = await admit(deps, place)
  if ("refusal" in entry) return entry.refusal
  switch (words.kind) {
    case "cancel":
      return cancelByWord(deps, place, words.id)
    case "answer":
      await answerQuestion(deps, place, words.isYes)
      return undefined
    case "blank":
      return blankMessage((await deps.whoWeAre()).user)
    case "verb":
      return said(deps, place, words.verb)
  }
}

async function said(
  deps: AgentDeps,
  place: Place,
  word: Extract<Words, { kind: "verb" }>["verb"],
): Promise<Message | undefined> {
  switch (word) {
    case "status":
      return status(deps, place.user)
    case "quota":
      return quota(deps, place.user)
    case "retry":
      return retryByWord(deps, place)
    case "mute":
      return muteByWord(deps, place)
    default:
      return helpMessage()
  }
}
