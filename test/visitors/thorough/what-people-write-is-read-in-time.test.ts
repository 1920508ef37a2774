import { expect, test } from "vitest"
import {
  assistantSchema,
  feedbackSchema,
  pathOf,
  searchesSchema,
} from "../../../src/docs-service/reader-signals.ts"
import { quoteLines } from "../../../src/lib/mark-quotes.ts"
import { maskReaderText } from "../../../src/lib/mask-readers-words.ts"
import { harmless } from "../../../src/lib/plain-text.ts"
import { foreignLine, plainLine } from "../../../src/messages/mrkdwn.ts"
import { bareWords, bySubject } from "../../../src/visitors/alike-questions.ts"
import { feedbackMessage } from "../../../src/visitors/feedback-feed.ts"
import { type Gap, gapKey } from "../../../src/visitors/gap-kinds.ts"
import { requestFor } from "../../../src/visitors/gap-prompt.ts"
import { gapsMessage } from "../../../src/visitors/gaps-message.ts"
import { commentGaps } from "../../../src/visitors/read-comments.ts"
import { quickest } from "../../helpers/quickest.ts"
import { RANGE } from "../../helpers/visitors-facts.ts"

const LONG = 100_000
/** Texts of an eighth of the length, between which the length doubles three times. */
const TIMES = 8
/** Room for measurement: three doublings at 2 make 8; at 3, which is far from linear, 27. */
const MAX_GROWTH = 14
const PARTS = [
  "a ",
  "> ",
  "word-",
  "ab",
  "認",
  "\u2028",
  "```",
  "[email]",
  "é1",
  "\u200b",
  "a@b.",
  "1 ",
  "/x",
  "%41",
]

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
const shown = (gaps: readonly Gap[]) => ({ id: "x", gaps, requested: [], gitHubHost: "github.com" })

/** Every function that takes readers' text, from the service's answer to the request. */
const FUNCTIONS: Readonly<Record<string, (text: string) => unknown>> = {
  maskReaderText,
  pathOf,
  feedbackSchema: (text) =>
    feedbackSchema.parse({
      feedback: [
        { id: text, path: text, comment: text, source: "agent", filename: text, language: text },
      ],
      hasMore: false,
    }),
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
    const comments = commentsOf(text)
    return gapsMessage(
      { project: "docs", range: RANGE, assistant: others, thumbs, comments },
      shown(comment ? [comment, ...others] : others),
    )
  },
  feedbackMessage: (text) => {
    const gaps = commentsOf(text)
    return feedbackMessage([{ project: text, gaps, shown: shown(gaps) }])
  },
  harmless,
  quoteLines,
  foreignLine: (text) => foreignLine(text, LONG),
  plainLine: (text) => plainLine(text, LONG),
}

test.each(Object.keys(FUNCTIONS))("VIS-17: %s takes twice as long for twice the text", (name) => {
  const read = FUNCTIONS[name]
  const fast: string[] = []
  for (const part of PARTS) {
    const text = (length: number) => part.repeat(length / part.length)
    const [short, long] = [text(LONG / TIMES), text(LONG)]
    let growth = Number.POSITIVE_INFINITY
    for (let turn = 0; turn < 20 && growth > MAX_GROWTH; turn++) {
      // Repeats the short text, so that its time can be measured.
      const once = quickest(() => {
        for (let n = 0; n < TIMES; n++) read?.(short)
      })
      growth = Math.min(growth, quickest(() => read?.(long)) / Math.max(once / TIMES, 0.02))
    }
    if (growth > MAX_GROWTH) fast.push(`${part}: ${growth.toFixed(1)} times`)
  }
  expect(fast).toEqual([])
})
