import { askId } from "../jobs/job.ts"
import type { Found } from "../jobs/job-store.ts"
import type { NewRequest } from "../jobs/request-record.ts"
import { sentAsks } from "../jobs/rounds.ts"
import { mentionedUsers, toPlainText, withoutMention } from "../lib/plain-text.ts"
import { DAY_MS } from "../lib/time.ts"
import { cancelledMessage, say } from "../messages/private-answers.ts"
import { REPEATED_WITHIN_MS } from "../slack/intake.ts"
import type { MessageEvent } from "../slack/payloads.ts"
import { SLACKBOT } from "../slack/read-message.ts"
import { claimKey } from "../store/claims.ts"
import { key } from "../store/redis-keys.ts"
import { type Asking, acceptTyped } from "./accept-request.ts"
import { actOnce } from "./act-once.ts"
import { answerWords } from "./answer-verbs.ts"
import { EDITED_WITHIN_MS, editRefused, editRequest, withdrawRequest } from "./edited-mentions.ts"
import { removeDraft } from "./kept-requests.ts"
import { readWords, type Typed } from "./parse-typed-text.ts"
import { wordsForAttached } from "./quoted-messages-and-files.ts"
import type { Reply } from "./work-after-ack.ts"

/** Subtypes of messages that people post. Edits, joins and the like also arrive as messages. */
const POSTED: readonly (string | undefined)[] = [undefined, "file_share", "thread_broadcast"]

export async function hearMessage(asking: Asking, event: MessageEvent): Promise<Reply> {
  const { user, channelType, edited, ageMs } = event
  // Slack sends a mention in a channel as app_mention, in a group direct message as either or both.
  if (event.entry === "message" && channelType !== "im" && channelType !== "mpim") return {}
  if (!user || !POSTED.includes(event.subtype)) return {}
  // If Slack does not answer, this throws, and Slack sends the event again.
  const me = await asking.context.slack.state.whoWeAre()
  if (user === me.user) return {}
  // Slack sends the bot every message of a group direct message, mentioned or not.
  if (channelType === "mpim" && !mentionedUsers(event.text).includes(me.user)) return {}
  // Two bots that answer each other could talk forever, and so could a bot that answers itself.
  if (event.bot) return throughApp(asking, event, user)
  // From then on the bot no longer knows what it has done with the message.
  if (ageMs > REPEATED_WITHIN_MS) return {}
  const said = withoutMention(event.text, me.user)
  const heard = { ...event, user, said }
  return edited === undefined
    ? posted(asking, heard)
    : handleEdit(asking, { ...heard, edited }, ageMs <= EDITED_WITHIN_MS)
}

type Heard = MessageEvent & { user: string; said: string }

/** Tells a person once a day that a post through another app, with their own token, starts nothing. */
async function throughApp(asking: Asking, { bot }: MessageEvent, user: string): Promise<Reply> {
  if (bot === SLACKBOT) return {}
  const told = key("own", user, "told-of-apps")
  return (await claimKey(asking.context.store, told, DAY_MS)) ? { ack: say("through_app") } : {}
}

async function posted(asking: Asking, heard: Heard): Promise<Reply> {
  const { typed, request, latest } = await read(asking, heard)
  // Slack may send the message again, as a retry or as another event about it.
  const once = `word:${request.channel}:${heard.ts}`
  if (!("words" in typed)) return answerOnce(asking, once, request, typed)
  const question = askId(request.delivery)
  return { once, question, ack: await acceptTyped(asking, request, typed, latest) }
}

function answerOnce(
  asking: Asking,
  once: string,
  request: Read["request"],
  typed: Exclude<Typed, { words: string }>,
): Promise<Reply> {
  const act = async () => ({ once, ...(await answerWords(asking, request, typed)) })
  return actOnce(asking.context, once, act, true)
}

interface Edit {
  heard: Heard
  request: Read["request"]
  /** Id of what the bot answers to this edit only once. */
  once: string
  /** True if the message is recent: the bot then acts on its words as if they were new. */
  isRecent: boolean
}

/**
 * Handles an edit, of which Slack sends the whole message again: changes a request that has not been
 * sent, or acts on a recent message as if it was new. @param isRecent whether the message is recent
 */
async function handleEdit(
  asking: Asking,
  heard: Heard & { edited: string },
  isRecent: boolean,
): Promise<Reply> {
  const { typed, request, latest } = await read(asking, heard)
  const once = `word:${request.channel}:${heard.ts}:${heard.edited}`
  const edit = { heard, request, once, isRecent }
  return "words" in typed
    ? changeWords(asking, edit, typed, latest)
    : takeWordsOut(asking, edit, typed)
}

/** Gives the message's request its new words, or makes one of a message that was none. */
async function changeWords(
  asking: Asking,
  { heard, request, once, isRecent }: Edit,
  typed: Extract<Typed, { words: string }>,
  latest: Read["latest"],
): Promise<Reply> {
  const wanted = { ...request, prompt: { ...request.prompt, words: typed.words } }
  const outcome = await editRequest(asking.context, wanted, typed.project)
  switch (outcome) {
    case "changed":
    case "same":
    case "withdrawn":
      return {}
    case "too_late":
    case "too_long":
    case "project":
      return { once, ...editRefused(heard, outcome) }
    case "unknown": {
      if (!isRecent) return {}
      // The question about the earlier words, if there was one, must not send these.
      const question = askId(request.delivery)
      await removeDraft(asking.context.store, heard.user, question)
      return { once, question, ack: await acceptTyped(asking, request, typed, latest) }
    }
  }
}

/** Cancels the message's request, whose words are gone. If there is none to cancel, acts on the new words. */
async function takeWordsOut(
  asking: Asking,
  { heard, request, once, isRecent }: Edit,
  typed: Exclude<Typed, { words: string }>,
): Promise<Reply> {
  const actOnWords = () => (isRecent ? answerOnce(asking, once, request, typed) : {})
  const outcome = await withdrawRequest(asking.context, request)
  if (typeof outcome === "object") return { once, ack: cancelledMessage(outcome.words) }
  switch (outcome) {
    case "same":
      return {}
    case "unknown":
      return actOnWords()
    case "withdrawn":
      return asksNothing(typed) ? {} : actOnWords()
    case "too_late":
      return asksNothing(typed) ? { once, ...editRefused(heard, outcome) } : actOnWords()
  }
}

/** Returns whether these words, instead of a request, are about that request alone or nothing. */
function asksNothing({ kind }: Typed): boolean {
  return kind === "blank" || kind === "small_talk" || kind === "cancel"
}

interface Read {
  typed: Typed
  request: Omit<NewRequest, "project"> & { thread: string }
  /** Jobs of its thread, newest first. */
  latest: readonly Found[]
}

/** Reads a message. The worker reads thread, files and names, so that no such call delays the ack. */
async function read(asking: Asking, heard: Heard): Promise<Read> {
  const { user, channel, ts, thread, edited, files, pasted, said } = heard
  const { jobs, settings } = asking.context
  const latest = thread === undefined ? [] : await jobs.inThread(channel, thread)
  const text = toPlainText(said) || wordsForAttached(heard)
  const typed = readWords(text, thread === undefined ? "mention" : "thread")
  const named = "project" in typed ? typed.project : undefined
  const project = settings.projects.choose(channel, named, latest[0]?.job.project)
  const known = latest.filter(({ job }) => job.project === project?.key)
  const sent = known.flatMap(({ job }) => sentAsks(job).flatMap((one) => one.ts ?? []))
  const from = sent.toSorted().at(-1)
  const names = mentionedUsers([said, ...heard.forwards.map((one) => one.text)].join(" "))
  const own = pasted === "" ? [] : [{ by: user, text: pasted }]
  const quotes = [...own, ...heard.forwards].map((one) => ({ ...one, text: toPlainText(one.text) }))
  // In a direct message people say everything to the bot, so there is nothing to quote.
  const isQuoted = thread !== undefined && !channel.startsWith("D")
  const prompt = {
    words: "",
    threadRange: isQuoted ? { channel, thread, from, until: ts } : undefined,
    quotes: quotes.length > 0 ? quotes : undefined,
    files: files.length > 0 ? [...files] : undefined,
    names: names.length > 0 ? names : undefined,
  }
  // Uses no event id, because Slack can deliver one message under two of them.
  const delivery = `message:${channel}:${ts}`
  const request = { channel, user, thread: thread ?? ts, ts, prompt, delivery, edited }
  return { typed, request: { ...request, event: heard.slack }, latest }
}
