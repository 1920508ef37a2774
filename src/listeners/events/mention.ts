import { chooseProject } from "../../asking/choose-project.ts"
import { readWords } from "../../asking/read-text.ts"
import { sentAsks } from "../../jobs/asks.ts"
import { defined } from "../../lib/defined.ts"
import { mentionedUsers, toPlainText, withoutMention } from "../../lib/plain-text.ts"
import type { MessageEvent } from "../../slack/payloads.ts"
import type { Reply } from "../acknowledge.ts"
import { acceptTyped } from "../answer-request.ts"
import { answerWords } from "../answer-words.ts"
import type { AgentDeps } from "../deps.ts"

/** Subtypes of messages that people post. Edits, joins and the like also arrive as messages. */
const POSTED: readonly (string | undefined)[] = [undefined, "file_share", "thread_broadcast"]

export async function mention(deps: AgentDeps, event: MessageEvent): Promise<Reply> {
  const { user, channel, channelType, ts, thread, files } = event
  // Slack sends a mention in a channel as app_mention, in a group direct message as either or both.
  if (event.entry === "message" && channelType !== "im" && channelType !== "mpim") return {}
  // Two bots that answer each other could talk forever, and so could a bot that answers itself.
  if (!user || event.bot || !POSTED.includes(event.subtype)) return {}
  // If Slack does not answer, this throws, and Slack sends the event again.
  const me = await deps.whoWeAre()
  if (user === me.user) return {}
  // Slack sends the bot every message of a group direct message, mentioned or not.
  if (channelType === "mpim" && !mentionedUsers(event.text).includes(me.user)) return {}
  const said = withoutMention(event.text, me.user)
  const text = toPlainText(said)
  const latest = thread === undefined ? [] : await deps.jobs.inThread(channel, thread)
  const typed = readWords(text, latest.length > 0 ? "thread" : "mention")
  // Slack may send the message again, as a retry or as another event about it.
  const once = `word:${channel}:${ts}`
  const asker = { channel, user, thread: thread ?? ts }
  if (!("words" in typed)) return { once, work: () => answerWords(deps, asker, typed) }

  // The worker reads the thread, files and names, so that no such call delays the acknowledgement.
  const project = chooseProject(deps, channel, typed.project, latest)?.key
  const known = latest.filter(({ job }) => job.project === project)
  const sent = known.flatMap(({ job }) => sentAsks(job).flatMap((one) => one.ts ?? []))
  const from = sent.toSorted().at(-1)
  const names = mentionedUsers([said, ...event.forwards.map((one) => one.text)].join(" "))
  const quotes = event.forwards.map((one) => ({ ...one, text: toPlainText(one.text) }))
  const incoming = {
    ...asker,
    ts,
    prompt: {
      words: "",
      ...defined({
        // In a direct message people say everything to the bot, so there is nothing to quote.
        threadRange:
          thread && !channel.startsWith("D")
            ? { channel, thread, until: ts, ...defined({ from }) }
            : undefined,
        quotes: quotes.length > 0 ? quotes : undefined,
        files: files.length > 0 ? [...files] : undefined,
        names: names.length > 0 ? names : undefined,
      }),
    },
    // Uses no event id, because Slack can deliver one message under two of them.
    delivery: `message:${channel}:${ts}`,
    event: event.slack,
  }
  return { once, ack: await acceptTyped(deps, incoming, typed, latest) }
}
