import fc from "fast-check"
import { expect, test } from "vitest"
import { isCommandFault, parseCommand } from "../../../src/visitors/parse-command.ts"
import { parseRange } from "../../../src/visitors/parse-range.ts"
import { daysIn, isDay, MAX_DAYS, periodBefore, rangeWords } from "../../../src/visitors/range.ts"
import { faultMessage, meantMessage } from "../../../src/visitors/visitors-help.ts"
import { checkMessage } from "../../helpers/block-kit.ts"
import { FRAGMENTS, hostileText } from "../../helpers/hostile.ts"
import { liveTokens } from "../../helpers/live-tokens.ts"
import { holds } from "../../helpers/property.ts"
import { quickest } from "../../helpers/quickest.ts"

const TODAY = "2026-11-20"
const DAY = /^\d{4}-\d{2}-\d{2}$/
const PARTS = [
  ...rangeWords,
  "2026-11-01",
  "2026-11-31",
  "0000-01-01",
  "9999-12-31",
  "1000-01-01",
  "20261101",
  "..",
  "...",
  "…",
  " ",
  "\t",
  "\u00a0",
  "0d",
  "7D",
  "007d",
  "999999d",
  "-1d",
  "to",
  "at",
  "9:05",
  "24:00",
  "by",
  "people",
  "ai",
  "/guides",
  "*",
  '"',
  "“",
  "help",
  "subscribe",
  "unsubscribe",
  "subscriptions",
  "daily",
  "weekly",
] as const

/** Generates near-commands: parts in any order, some with a character missing. */
const nearly = fc
  .array(fc.tuple(fc.constantFrom(...PARTS), fc.constantFrom("", " ", "  "), fc.nat({ max: 12 })), {
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
  for (const part of [...PARTS, ...FRAGMENTS])
    for (const head of ["", "2026-11-01", "2026-11-01 ..", '"', "7d ", "subscribe "]) {
      const text = (head + part.repeat(10_000)).slice(0, 10_000)
      const ms = quickest(() => parseCommand(`${text}!`, "docs-site", TODAY), 8)
      if (ms > 5) slow.push(`${head}${part}: ${ms.toFixed(1)} ms`)
    }
  expect(slow).toEqual([])
})
