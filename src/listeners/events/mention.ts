import { quoteForwarded } from "../../jobs/talk.ts"
import { TAKEN_BACK } from "../../jobs/transitions.ts"
import type { MessageEvent } from "../../slack/payloads.ts"
import { mentionedUsers, toPlainText, withoutMention } from "../../text/plain-text.ts"
import type { Reply } from "../answer.ts"
import { ask, type Incoming } from "../ask.ts"
import type { AgentDeps } from "../deps.ts"
import { answerWords } from "../verbs.ts"
import { readMention, readThread } from "../words.ts"

/** Edits, joins and the like arrive as messages too; only what a person posts is a question. */
const POSTED: ReadonlySet<string | undefined> = new Set([
  undefined,
  "file_share",
  "thread_broadcast",
])

/**
 * `@bot …` in a channel or thread, or a direct message. Everything is answered in the thread: a request
 * by its card, all else privately.
 */
export async function mention(deps: AgentDeps, event: MessageEvent): Promise<Reply> {
  const { user, thread, channel, channelType, ts } = event
  // In channels a mention comes as app_mention; in group direct messages as either, or as both.
  if (event.entry === "message" && channelType !== "im" && channelType !== "mpim") return {}
  // Other apps' mentions would make two bots talk to each other for ever, our own would one.
  if (!user || event.bot || !POSTED.has(event.subtype)) return {}
  // Without its own name the bot would take "@bot status" for a request: Slack has to send it again.
  const me = await deps.whoWeAre()
  if (user === me.user) return {}
  // The bot hears all of a group direct message, and is asked only where it is named.
  if (channelType === "mpim" && !mentionedUsers(event.text).includes(me.user)) return {}
  const said = withoutMention(event.text, me.user)
  const text = toPlainText(said, new Map())
  const latest = thread === undefined ? [] : await deps.jobs.inThread(channel, thread)
  const words = latest.length > 0 ? readThread(text) : readMention(text)
  // The message may come again, as retry or as another event about it.
  const once = `word:${channel}:${ts}`
  if (words.kind !== "prompt" && words.kind !== "unclear" && words.kind !== "too_long") {
    const place = { channel, user, thread: thread ?? ts }
    return { once, work: () => answerWords(deps, place, words) }
  }
  const sent = latest.filter(({ job }) => !job.ending || !TAKEN_BACK.has(job.ending))
  const asked = sent.flatMap(({ job }) => job.asks.flatMap((one) => one.ts ?? []))
  const incoming = incomingOf(event, { user, team: me.team, said, since: asked.toSorted().at(-1) })
  return { once, ack: await ask(deps, incoming, words) }
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
  }: Record<"user" | "team" | "said", string> & { since?: string | undefined },
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
      // In a direct message everything is said to the bot.
      ...(thread && !channel.startsWith("D")
        ? { talk: { until: ts, ...(since ? { from: since } : {}) } }
        : {}),
      ...(passedOn ? { context: quoteForwarded(passedOn) } : {}),
      ...(files.length > 0 ? { files: [...files] } : {}),
      ...(names.length > 0 ? { names } : {}),
    },
    // Not the event id: one message can be delivered under two of them.
    delivery: `message:${channel}:${ts}`,
    via: slack,
  }
}
