import fc from "fast-check"
import { expect, test } from "vitest"
import {
  assistantSchema,
  feedbackSchema,
  pathOf,
  searchesSchema,
} from "../../../src/docs-service/reader-signals.ts"
import { quoteLines } from "../../../src/lib/mark-quotes.ts"
import { maskReaderText } from "../../../src/lib/mask-personal-data.ts"
import { harmless } from "../../../src/lib/plain-text.ts"
import { foreignLine, plainLine } from "../../../src/messages/mrkdwn.ts"
import { bareWords, bySubject } from "../../../src/visitors/alike-questions.ts"
import { feedbackMessage } from "../../../src/visitors/feedback-feed.ts"
import { type Gap, gapKey } from "../../../src/visitors/gap-kinds.ts"
import { requestFor } from "../../../src/visitors/gap-prompt.ts"
import { gapsMessage } from "../../../src/visitors/gaps-message.ts"
import { isCommandFault, parseCommand } from "../../../src/visitors/parse-command.ts"
import { parseRange } from "../../../src/visitors/parse-range.ts"
import { daysIn, isDay, MAX_DAYS, periodBefore } from "../../../src/visitors/range.ts"
import { commentGaps } from "../../../src/visitors/read-comments.ts"
import { rangeWords } from "../../../src/visitors/report-buttons.ts"
import { faultMessage, meantMessage } from "../../../src/visitors/visitors-help.ts"
import { checkMessage } from "../../helpers/block-kit.ts"
import { FRAGMENTS, hostileText } from "../../helpers/hostile.ts"
import { liveTokens } from "../../helpers/live-tokens.ts"
import { holds } from "../../helpers/property.ts"
import { quickest } from "../../helpers/quickest.ts"
import { RANGE } from "../../helpers/visitors-facts.ts"

const LONG = 100_000
/** Maximum CPU time in ms for a text of that length, which only growth that is not linear exceeds. */
const LONG_WITHIN_MS = 500
/**
 * Length of texts whose times are compared: on some virtual machines memory for objects over 128 kB
 * costs more than the work on them.
 */
const COMPARED = 8000
/** Texts of an eighth of the length, between which the length doubles three times. */
const TIMES = 8
/** Number of repetitions of the work on a compared text, so that its time can be measured. */
const REPEATED = 12
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
    const [short, long] = [text(COMPARED / TIMES), text(COMPARED)]
    const timeOf = (text: string, times: number) =>
      quickest(() => {
        for (let n = 0; n < times; n++) read?.(text)
      })
    let growth = Number.POSITIVE_INFINITY
    for (let turn = 0; turn < 20 && growth > MAX_GROWTH; turn++) {
      const once = Math.max(timeOf(short, TIMES * REPEATED) / TIMES, 0.02)
      growth = Math.min(growth, timeOf(long, REPEATED) / once)
    }
    expect(
      quickest(() => read?.(text(LONG)), 3),
      part,
    ).toBeLessThan(LONG_WITHIN_MS)
    if (growth > MAX_GROWTH) fast.push(`${part}: ${growth.toFixed(1)} times`)
  }
  expect(fast).toEqual([])
})

const TODAY = "2026-11-20"
const DAY = /^\d{4}-\d{2}-\d{2}$/
const SPACES = [" ", "\t", "\u00a0"]
const DATES = "2026-11-01 2026-11-31 0000-01-01 9999-12-31 1000-01-01 20261101 .. ... …"
const LENGTHS = "0d 7D 007d 999999d -1d"
const WORDS =
  'to at 9:05 24:00 by people ai /guides * " “ help subscribe unsubscribe subscriptions daily weekly'
const TYPED = [...rangeWords, ...SPACES, ...`${DATES} ${LENGTHS} ${WORDS}`.split(" ")]

/** Generates near-commands: parts in any order, some with a character missing. */
const nearly = fc
  .array(fc.tuple(fc.constantFrom(...TYPED), fc.constantFrom("", " ", "  "), fc.nat({ max: 12 })), {
    maxLength: 8,
  })
  .map((parts) => parts.map(([part, gap, cut]) => gap + (cut > 8 ? part.slice(1) : part)).join(""))

const anything = fc.oneof({ weight: 4, arbitrary: nearly }, { weight: 1, arbitrary: hostileText })

test("anything typed is a question with a range that exists, or is answered with three examples", async () => {
  await holds(
    fc.property(anything, (text) => {
      const read = parseCommand(text, "docs-site", TODAY)
      if (read.kind === "report") {
        const { from, to } = read.selection.range
        const before = periodBefore({ from, to }, TODAY)
        for (const day of [from, to, before.from, before.to]) expect(day).toMatch(DAY)
        expect([from <= to, to <= TODAY]).toEqual([true, true])
        expect(daysIn({ from, to })).toBeLessThanOrEqual(MAX_DAYS)
        // The same days, written out, are the same range.
        if (isDay(from)) expect(parseRange(`${from}..${to}`, TODAY)).toEqual({ from, to })
      }
      if (!isCommandFault(read)) return
      const { meant } = read
      const answer = meant === undefined ? faultMessage(read) : meantMessage(meant, { id: "x" })
      expect(answer.text).toMatch(/^• `\/docs-visitors|Did you mean/m)
      expect(liveTokens(answer)).toEqual([])
      expect(checkMessage(answer)).toEqual([])
    }),
    2000,
  )
})

test("10,000 characters of anything are read in 5 ms", () => {
  const slow: string[] = []
  for (const part of [...TYPED, ...FRAGMENTS])
    for (const head of ["", "2026-11-01", "2026-11-01 ..", '"', "7d ", "subscribe "]) {
      const text = (head + part.repeat(10_000)).slice(0, 10_000)
      const ms = quickest(() => parseCommand(`${text}!`, "docs-site", TODAY), 8)
      if (ms > 5) slow.push(`${head}${part}: ${ms.toFixed(1)} ms`)
    }
  expect(slow).toEqual([])
})
