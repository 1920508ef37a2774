import { chartPoints } from "../../src/visitors/chart.ts"
import type { RankedTable, Report } from "../../src/visitors/read-report.ts"

export const RANGE = { from: "2026-11-13", to: "2026-11-19" }
export const READ_AT = Date.UTC(2026, 10, 20, 12)
/** Page names that have been observed, and some that an attacker could cause. */
export const ODD_PATHS = [
  "<script>alert(1)</script>",
  '=HYPERLINK("https://example.com","x")',
  "<!channel> <!here|here> <@U1> <!subteam^S1>",
  "@channel @here #general https://example.com",
  "&".repeat(300),
  `/${"long-path/".repeat(30)}`,
  "/日本語/はじめに/認証",
  "/emoji/👩‍👩‍👧‍👦🏴‍☠️",
  "a\u0000b\u202ec\nd\re\tf",
  "``` *bold* _it_ ~no~ `code`",
  "",
  "   ",
]

export function reportOf(paths: readonly string[], more: Partial<Report> = {}): Report {
  const figures = { human: 1234, ai: 567, total: 1700 }
  const points = chartPoints(RANGE).map((range) => ({ range, figures }))
  return {
    selection: { project: "docs-key", range: RANGE, page: 1 },
    project: "docs",
    figures,
    previous: { from: "2026-11-06", to: "2026-11-12" },
    before: { human: 1100, ai: 600, total: 1690 },
    trend: points,
    table: tableOf(paths),
    missing: undefined,
    running: false,
    readAt: READ_AT,
    ...more,
  }
}

function tableOf(paths: readonly string[]): RankedTable {
  const rows = paths.map((path, i) => ({
    path,
    human: 90 - i,
    ai: 40,
    total: 120 - i,
    rank: i + 1,
  }))
  const pages = { page: 1, pages: 3, matched: 25, ranked: 25 }
  return { rows, ...pages, end: "complete" }
}

export const PRIVATE = { kind: "private", id: "abcDEF-_0123456789", isDirect: false } as const
