import { expect, test } from "vitest"
import { readWords } from "../../../src/asking/parse-typed-text.ts"
import { quoteThread } from "../../../src/asking/quoted-messages-and-files.ts"
import { hashOfRequest } from "../../../src/asking/same-request.ts"
import {
  assistantSchema,
  feedbackSchema,
  pathOf,
  searchesSchema,
} from "../../../src/docs-service/reader-signals.ts"
import { quoteLines } from "../../../src/lib/mark-quotes.ts"
import { maskReaderText } from "../../../src/lib/mask-personal-data.ts"
import {
  harmless,
  mentionedUsers,
  toPlainText,
  withoutMention,
} from "../../../src/lib/plain-text.ts"
import { jobCard } from "../../../src/messages/card.ts"
import { resultReply } from "../../../src/messages/closing-reply.ts"
import { foreignLine, plainLine } from "../../../src/messages/mrkdwn.ts"
import { wordsOf } from "../../../src/slack/block-text.ts"
import { bareWords, bySubject } from "../../../src/visitors/alike-questions.ts"
import { feedbackMessage } from "../../../src/visitors/feedback-feed.ts"
import { type Gap, gapKey } from "../../../src/visitors/gap-kinds.ts"
import { requestFor } from "../../../src/visitors/gap-prompt.ts"
import { gapsMessage } from "../../../src/visitors/gaps-message.ts"
import { parseCommand } from "../../../src/visitors/parse-command.ts"
import { commentGaps } from "../../../src/visitors/read-comments.ts"
import { FRAGMENTS, TYPED } from "../../helpers/hostile.ts"
import { aJob } from "../../helpers/job.ts"
import { quickest } from "../../helpers/quickest.ts"
import { RANGE } from "../../helpers/visitors-facts.ts"

/** Length of the texts: more than Slack carries in a message. */
const LONG = 100_000
/**
 * Limit in ms of CPU time, ten times what growth with the length takes: people notice longer stalls,
 * and Slack waits 3 s for everybody's requests.
 */
const STALL_MS = 500

const WHERE = { gitHubHost: "github.com", admins: [] }
const shown = (gaps: readonly Gap[]) => ({ id: "x", gaps, requested: [], ...WHERE })
const commentsOf = (text: string) =>
  commentGaps([
    { id: "1", path: text, text: `${text} x1`, source: "agent", file: text, language: text, at: 1 },
  ])
const gapsOf = (text: string): Gap[] => [
  ...commentsOf(text),
  { kind: "question", text, asked: 1, path: text, keys: [] },
  { kind: "search", text, hits: 3, lost: 3, keys: [] },
  { kind: "page", path: text, up: 0, down: 2, keys: [] },
]

type Readers = Readonly<Record<string, (text: string) => unknown>>

/** Every function that takes what people type in Slack, or what the service says of a job. */
const OF_PEOPLE: Readers = {
  mentionedUsers,
  toPlainText: (text) => toPlainText(text, new Map()),
  withoutMention: (text) => withoutMention(text, "U0BEN00001"),
  command: (text) => readWords(text, "command"),
  thread: (text) => readWords(text, "thread"),
  mention: (text) => readWords(text, "mention"),
  harmless,
  quoteLines,
  foreignLine: (text) => foreignLine(text, LONG),
  plainLine: (text) => plainLine(text, LONG),
  hashOfRequest: (text) => hashOfRequest({ project: "p", user: "u", prompt: { words: text } }),
  quoteThread: (text) =>
    quoteThread([{ speaker: text, text, files: [{ id: "F1", name: text, type: text }] }]),
  card: (text) => {
    const job = aJob({ prLink: text, detail: text })
    return jobCard({ job, words: text, roundWords: text, name: text, now: 9_000, ...WHERE })
  },
  result: (text) => {
    const ended = { state: "ended", ending: "refused", detail: text, prLink: text } as const
    return resultReply({ job: aJob(ended), users: [], ...WHERE })
  },
  visitors: (text) => parseCommand(text, "docs-site", "2026-11-20"),
}

/** Every function that takes readers' text, from the service's answer to the request. */
const OF_READERS: Readers = {
  maskReaderText,
  pathOf,
  feedbackSchema: (text) => {
    const entry = { id: text, path: text, comment: text, source: "agent" }
    return feedbackSchema.parse({
      feedback: [{ ...entry, filename: text, language: text }],
      hasMore: false,
    })
  },
  searchesSchema: (text) =>
    searchesSchema.parse({
      searches: [{ searchQuery: text, hits: 1, ctr: 0, topClickedPage: text }],
    }),
  assistantSchema: (text) =>
    assistantSchema.parse({
      conversations: [{ id: text, query: text, resolutionStatus: "unanswered", pageUrl: text }],
      hasMore: false,
    }),
  bareWords,
  bySubject: (text) => bySubject([{ text }, { text: `${text} x` }]),
  gapKey: (text) => gapKey("page", text),
  commentGaps: commentsOf,
  requestFor: (text) => gapsOf(text).map((gap) => requestFor(gap, RANGE)),
  gapsMessage: (text) => {
    const [comment, ...others] = gapsOf(text)
    const thumbs = others.filter(({ kind }) => kind === "page")
    const report = { project: "docs", range: RANGE, assistant: others, thumbs }
    return gapsMessage(
      { ...report, comments: commentsOf(text) },
      shown(comment ? [comment, ...others] : others),
    )
  },
  feedbackMessage: (text) => {
    const gaps = commentsOf(text)
    return feedbackMessage([{ project: text, gaps, shown: shown(gaps) }])
  },
}

/** Words that make a parser read on behind them. */
const HEADS = ["", "cancel ", "use ", "subscribe ", "2026-11-01 ..", '"', "7d "]
const READ_ON = new Set(["command", "thread", "mention", "visitors"])

test.each(Object.entries({ ...OF_PEOPLE, ...OF_READERS }))(
  "100,000 characters of anything stall nobody: %s",
  (name, read) => {
    const slow: string[] = []
    for (const part of [...FRAGMENTS, ...TYPED])
      for (const head of READ_ON.has(name) ? HEADS : [""]) {
        const text = `${(head + part.repeat(LONG / part.length)).slice(0, LONG)}!`
        // A slow reader is slow each time, but delays by other processes don't repeat.
        const isSlow = [1, 2, 3].every(() => quickest(() => read(text), 1) > STALL_MS)
        if (isSlow) slow.push(head + part)
      }
    expect(slow).toEqual([])
  },
)

test("attachments with thousands of fields are read in time", () => {
  const fields = Array.from({ length: 5000 }, (_, n) => ({ title: `field ${n}`, value: `${n}` }))
  const attachments = Array.from({ length: 20 }, (_, n) => ({ text: `part ${n}`, fields }))
  expect(wordsOf({ text: "see", attachments })).toContain("field 0: 0")
  expect(quickest(() => wordsOf({ text: "see", attachments }), 3)).toBeLessThan(STALL_MS)
})
