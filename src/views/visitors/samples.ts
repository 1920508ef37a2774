import type { Sample } from "../../ports/message.ts"
import type { AlertLine } from "../../visitors/alerts/pass.ts"
import { buckets } from "../../visitors/buckets.ts"
import { daysIn } from "../../visitors/day.ts"
import type { GapReport } from "../../visitors/gaps/report.ts"
import type { ChangeReport, Report } from "../../visitors/report.ts"
import { alertMessage } from "./alerts.ts"
import { changeMessage } from "./changed.ts"
import { gapsMessage } from "./gaps.ts"
import { reportMessage } from "./report.ts"

const RANGE = { from: "2026-10-01", to: "2026-10-30" }
const BEFORE = { from: "2026-09-01", to: "2026-09-30" }
const READ_AT = Date.UTC(2026, 9, 31)
const FIGURES = { human: 1200, ai: 600, total: 1700 }
const PATHS = ["/", "/guides/quickstart", "/api/authentication"]
/** Opaque ids have this many characters. */
const ID = "sample-report-id-0"

/** Reports and digests, as rich as can be and as they fall back. */
export function visitorsSamples(): Sample[] {
  const privately = { kind: "private", id: ID } as const
  return [
    {
      kind: "visitor report with a chart",
      message: reportMessage(report(), privately, "chart"),
      hasFallback: true,
    },
    {
      kind: "visitor report with a table",
      message: reportMessage(report(), privately, "table"),
      hasFallback: true,
    },
    { kind: "visitor report as text", message: reportMessage(report(), privately, "text") },
    {
      kind: "shared report",
      message: reportMessage(report(), { kind: "shared", by: "U0SAMPLE01" }, "text"),
    },
    {
      kind: "digest",
      message: reportMessage(report(), { kind: "digest", rhythm: "Weekly digest" }, "text"),
    },
    { kind: "what changed", message: changeMessage(changes(), privately) },
    { kind: "what readers didn't find", message: gapsMessage(gaps(), privately) },
    { kind: "visitor alert", message: alertMessage([alert()]) },
  ]
}

function report(): Report {
  const rows = PATHS.map((path, i) => ({ path, ...FIGURES, rank: i + 1 }))
  const moved = { kind: "moved", percent: 12, direction: "up" } as const
  const points = buckets(RANGE).map((range) => ({ range, days: daysIn(range), figures: FIGURES }))
  return {
    question: { project: "docs", range: RANGE, by: "total", page: 1 },
    word: "30d",
    figures: FIGURES,
    aiShare: { kind: "percent", percent: 33 },
    previous: BEFORE,
    before: {
      known: true,
      value: { figures: FIGURES, changes: { human: moved, ai: moved, total: moved } },
    },
    trend: { known: true, value: points },
    table: {
      known: true,
      value: { rows, page: 1, pages: 2, matched: 30, ranked: 30, end: "complete", repeats: 0 },
    },
    running: false,
    readAt: READ_AT,
  }
}

function changes(): ChangeReport {
  const [path = "/"] = PATHS
  return {
    question: { project: "docs", range: RANGE, by: "total", page: 1 },
    previous: BEFORE,
    changes: {
      rose: [{ path, now: 90, before: 40 }],
      fell: [{ path, now: 40, before: 90 }],
      mostlyAi: [{ path, ...FIGURES }],
      floors: { move: 10, read: 20 },
    },
    whole: true,
    running: false,
    readAt: READ_AT,
  }
}

function gaps(): GapReport {
  const [path = "/"] = PATHS
  return {
    question: { project: "docs", range: RANGE },
    questions: {
      kind: "known",
      value: [{ kind: "question", text: "How?", asked: 3, pages: [{ path, asked: 3 }] }],
    },
    searches: { kind: "known", value: [{ kind: "search", text: "keys", hits: 9, lost: 8, path }] },
    pages: { kind: "known", value: [{ kind: "page", path, up: 1, down: 5, readers: 90 }] },
    unanswered: { read: 30, unanswered: 3, isWhole: true },
    readAt: READ_AT,
  }
}

function alert(): AlertLine {
  const [path = "/"] = PATHS
  const story = { direction: "drop", from: RANGE.to, to: RANGE.to } as const
  return {
    watch: { id: ID, project: "docs", of: "human", user: "U0SAMPLE01", from: RANGE.from },
    news: { began: { story, visitors: 20, usual: 90 } },
    movers: [{ path, now: 20, before: 90 }],
    report: ID,
  }
}
