import fc from "fast-check"
import { expect, test } from "vitest"
import { isCommandFault, parseCommand } from "../../../src/visitors/parse-command.ts"
import { parseRange } from "../../../src/visitors/parse-range.ts"
import { daysIn, isDay, MAX_DAYS, periodBefore } from "../../../src/visitors/range.ts"
import { faultMessage, meantMessage } from "../../../src/visitors/visitors-help.ts"
import { checkMessage } from "../../helpers/block-kit.ts"
import { hostileText, TYPED } from "../../helpers/hostile.ts"
import { liveTokens } from "../../helpers/live-tokens.ts"
import { holds } from "../../helpers/property.ts"

const TODAY = "2026-11-20"
const DAY = /^\d{4}-\d{2}-\d{2}$/
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
