import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { changeMessage } from "../../../src/messages/visitors/changed.ts"
import { rangeLabel, rangeTitle } from "../../../src/messages/visitors/format.ts"
import {
  faultMessage,
  helpMessage,
  scheduleFaultMessage,
} from "../../../src/messages/visitors/help.ts"
import { buckets } from "../../../src/visitors/buckets.ts"
import { addDays } from "../../../src/visitors/day.ts"
import { isFault, parseRange } from "../../../src/visitors/range.ts"
import type { ChangeReport } from "../../../src/visitors/report.ts"
import { holds } from "../../helpers/property.ts"
import { expectSafe, ODD_PATHS, PRIVATE, RANGE, READ_AT } from "../../helpers/visitors-facts.ts"

describe("what changed", () => {
  const facts = (paths: readonly string[]): ChangeReport => ({
    question: { project: "docs", range: RANGE, by: "total", page: 1 },
    previous: { from: "2026-11-06", to: "2026-11-12" },
    changes: {
      rose: paths.slice(0, 5).map((path) => ({ path, now: 1340, before: 120 })),
      fell: paths.slice(5, 10).map((path) => ({ path, now: 0, before: 80 })),
      mostlyAi: paths.slice(0, 5).map((path) => ({ path, human: 5, ai: 60, total: 62 })),
      floors: { move: 10, read: 20 },
    },
    whole: true,
    running: false,
    readAt: READ_AT,
  })

  it("names the pages with both counts and the difference", () => {
    const { text } = changeMessage(facts(["/a"]), PRIVATE)
    expect(text).toBe(
      "What changed, 13–19 Nov 2026 (UTC), by all visitors. Biggest gains: /a 120 → 1,340 (+1,220). " +
        "Biggest drops: none. Mostly read by AI: /a AI 60, people 5.",
    )
  })

  it("is taken by Slack with any path, and with none", () => {
    expectSafe(changeMessage(facts(ODD_PATHS), PRIVATE))
    expectSafe(changeMessage(facts([]), { kind: "shared", by: "U0ADA" }))
  })
})

describe("a fault", () => {
  it("repeats what was not understood, harmlessly, and gives three examples", () => {
    const message = faultMessage({ kind: "unknown", words: "<!channel> 7 dayz" })
    expectSafe(message)
    expect(message.text).toContain("I didn't understand “&lt;!channel&gt; 7 dayz”")
    expect(message.text.match(/• `\/docs-visitors/g)).toHaveLength(3)
  })

  it("gives examples that work", () => {
    const examples = faultMessage({ kind: "reversed", words: "x" }).text.matchAll(
      /`\/docs-visitors ([^/`]*?)(?: \/guides by ai)?`/g,
    )
    const ranges = Array.from(examples, ([, range = ""]) => parseRange(range, "2026-11-20"))
    expect(ranges).toHaveLength(3)
    expect(ranges.some(isFault)).toBe(false)
  })

  it("is taken by Slack whatever was typed", async () => {
    await holds(
      fc.property(fc.string({ unit: "binary" }), (typed) => {
        expectSafe(faultMessage({ kind: "unknown", words: typed }))
        expectSafe(scheduleFaultMessage(typed))
      }),
    )
    expectSafe(helpMessage())
  })
})

describe("days in words", () => {
  it.each([
    ["2026-11-09", "2026-11-15", "9–15 Nov 2026", "9–15 Nov"],
    ["2026-10-28", "2026-11-03", "28 Oct – 3 Nov 2026", "28 Oct–3 Nov"],
    ["2025-12-28", "2026-01-03", "28 Dec 2025 – 3 Jan 2026", "28 Dec–3 Jan"],
    ["2026-11-09", "2026-11-09", "9 Nov 2026", "9 Nov"],
  ])("%s to %s", (from, to, title, label) => {
    expect(rangeTitle({ from, to })).toBe(title)
    expect(rangeLabel({ from, to })).toBe(label)
  })

  it("label the points of any chart differently, in at most 20 characters", async () => {
    await holds(
      fc.property(fc.nat(5000), fc.integer({ min: 1, max: 366 }), (start, days) => {
        const from = addDays("2020-01-01", start)
        const labels = buckets({ from, to: addDays(from, days - 1) }).map(rangeLabel)
        expect(new Set(labels).size).toBe(labels.length)
        for (const label of labels) expect(label.length).toBeLessThanOrEqual(20)
      }),
      300,
    )
  })
})
