import { line } from "../../../src/messages/blocks.ts"
import type { Message } from "../../../src/slack/message-types.ts"
import * as alerts from "../../../src/visitors/alerts.ts"
import * as csv from "../../../src/visitors/csv-export.ts"
import * as digests from "../../../src/visitors/digest.ts"
import * as feedback from "../../../src/visitors/feedback-feed.ts"
import { requestFor } from "../../../src/visitors/gap-prompt.ts"
import {
  gapsMessage,
  gapsShown,
  moreCommentsMessage,
  requestedAlready,
} from "../../../src/visitors/gaps-message.ts"
import { changeMessage } from "../../../src/visitors/page-changes.ts"
import type { GapReport } from "../../../src/visitors/read-gaps.ts"
import { reportMessage } from "../../../src/visitors/report-message.ts"
import * as notices from "../../../src/visitors/report-unavailable.ts"
import type { Subscription } from "../../../src/visitors/scheduled-posts.ts"
import * as notes from "../../../src/visitors/subscription-notices.ts"
import { faultMessage, meantMessage, VISITORS_HELP } from "../../../src/visitors/visitors-help.ts"
import { PRIVATE, RANGE, READ_AT, reportOf } from "../../helpers/visitors-facts.ts"
import { ADA } from "../../sandbox/slack/index.ts"

type Texts = Readonly<Record<string, Message>>

const LATER = { fault: "rate_limited", retryAt: READ_AT } as const
const selection = { project: "docs", range: RANGE, page: 1 }
const ofPath = { ...selection, filter: "/auth" }
const read = { end: "complete", restAt: READ_AT } as const

const SHARED = { kind: "shared", by: ADA } as const
const pathReport = reportOf(["/auth"], { selection: ofPath, trend: undefined })
const today = reportOf(["/auth"], { running: true, trend: undefined })
const inPart = reportOf([], { trend: undefined, table: undefined, missing: LATER })
const shareUsed = { ...inPart, missing: { ...LATER, fault: "own_share" } } as const

const REPORT_TEXTS: Texts = {
  report: reportMessage(reportOf(["/quickstart", "/auth"]), PRIVATE, "native"),
  "report of a path": reportMessage(pathReport, PRIVATE, "native"),
  "report of today": reportMessage(today, SHARED, "text"),
  "report in part, shared": reportMessage(shareUsed, SHARED, "table"),
  "what changed": changeMessage(
    {
      selection,
      project: "docs",
      previous: RANGE,
      changes: [
        { path: "/auth", now: 150, before: 50 },
        { path: "/old", now: 20, before: 80 },
      ],
      mostlyAi: [{ path: "/api/keys", human: 40, ai: 110, total: 140 }],
      whole: true,
    },
    PRIVATE.id,
  ),
  help: VISITORS_HELP,
  "not understood": faultMessage({ kind: "unknown", words: "yesteryear" }),
  "a slip": meantMessage("last week", { id: "x" }),
  "in the future": faultMessage({ kind: "future", words: "2026-12-24" }),
  unavailable: notices.unavailable("visitors for Nov 13–19, 2026", { fault: "unreachable" }, []),
  "wrong project": notices.unavailable("visitors", { fault: "not_found" }, [ADA]),
  "no full answer": notices.unavailable("visitors", { fault: "interrupted" }, []),
  "share used up": notices.unavailable("visitors", { fault: "own_share", retryAt: READ_AT }, []),
  expired: notices.expired("report", ""),
  "shared before": notices.SHARED_BEFORE,
  "CSV asked for": csv.CSV_STARTED,
  "CSV asked for twice": csv.CSV_ON_ITS_WAY,
  "CSV of who was forgotten": csv.CSV_CANCELLED,
  "CSV on its way": csv.csvProgress("docs", selection, 500),
  "CSV in part": csv.csvDone("docs", ofPath, { ...read, rows: 25_000, end: "stopped" }),
  "CSV at its maximum": csv.csvDone("docs", selection, { ...read, rows: 250_000, end: "cut" }),
  "CSV doubtful": csv.csvDone("docs", selection, { ...read, rows: 1200, end: "doubtful" }),
  "CSV failed": csv.csvFailed("docs", selection, { fault: "unreachable" }),
  "CSV not sent": csv.csvUnsent({ code: "missing_scope", verdict: "give_up" }, [ADA]),
}

const GAPS: GapReport = {
  project: "docs",
  range: RANGE,
  assistant: [
    { kind: "question", text: "How do I rotate a key?", asked: 3, path: "/auth", keys: [] },
  ],
  searches: [{ kind: "search", text: "webhook retries", hits: 9, lost: 8, keys: [] }],
  thumbs: [{ kind: "page", path: "/auth", up: 1, down: 5, keys: [] }],
  questions: { read: 30, unanswered: 3, isWhole: true },
}

const COMMENTS = {
  kind: "comments",
  by: "agents",
  path: "/auth",
  texts: ["POST /v1/keys returns 404.", "The limit is 60."],
  written: 3,
  keys: [],
} as const
const WRITTEN: GapReport = {
  project: "docs",
  range: RANGE,
  comments: [
    { ...COMMENTS, texts: [...COMMENTS.texts], keys: [] },
    { ...COMMENTS, by: "readers", file: "a.ts", language: "ts", texts: ["Broken."], keys: [] },
  ],
}
const PULL = "https://github.com/acme/docs/pull/217"
const REQUESTED = { prLink: PULL, card: "https://slack.example/1" }
const listOf = (report: GapReport) => ({
  id: "x",
  gaps: gapsShown(report),
  requested: [REQUESTED],
  gitHubHost: "github.com",
})

const PART: GapReport = { project: "docs", range: RANGE, thumbs: [] }
const NO_QUESTIONS: GapReport = {
  ...PART,
  assistant: [],
  questions: { read: 0, unanswered: 0, isWhole: true },
}

const GAP_TEXTS: Texts = {
  gaps: gapsMessage(GAPS, { ...listOf(GAPS), requested: [] }),
  "what was written, one requested": gapsMessage(WRITTEN, listOf(WRITTEN)),
  "more of what was written": moreCommentsMessage(listOf(WRITTEN), 1, RANGE),
  "requested already": requestedAlready(REQUESTED, "github.com"),
  "not understood": faultMessage({ kind: "unknown", words: "/guides", of: "gaps" }),
  "gaps in part": gapsMessage(PART, listOf(PART)),
  "no questions": gapsMessage(NO_QUESTIONS, listOf(NO_QUESTIONS)),
  "new comments": feedback.feedbackMessage([
    { project: "docs", gaps: WRITTEN.comments ?? [], shown: listOf(WRITTEN) },
  ]),
  "no comments to post": feedback.FEEDBACK_LACKING,
  unavailable: notices.unavailable("what readers didn't find", LATER, []),
  expired: notices.expired("list", " gaps"),
  "the requests about them": line(
    [...gapsShown(GAPS), ...gapsShown(WRITTEN)].map((gap) => requestFor(gap, RANGE)).join("\n\n"),
  ),
}

const BY = { project: "docs", user: ADA } as const
const WATCH = { kind: "alert", ...BY, of: "human" } as const
const DAY = "2026-11-13"
const ODD = { watch: WATCH, visitors: 20, usual: 90, project: "docs", report: "x" }

const ALERT_TEXTS: Texts = {
  drop: alerts.alertMessage(DAY, [ODD]),
  "rise of AI on some pages": alerts.alertMessage(DAY, [
    { ...ODD, watch: { ...WATCH, of: "ai", filter: "/guides" }, visitors: 400 },
  ]),
  "not understood": faultMessage({ kind: "unknown", of: "alert", words: "maybe" }),
  "no word": faultMessage({ kind: "unknown", of: "alert", words: "" }),
}

const WEEKLY = { every: "weekly", hour: 9, minute: 0 } as const
const DIGEST = { kind: "digest", ...BY, zone: "Europe/Berlin", ...WEEKLY } as const

const DIGEST_TEXTS: Texts = {
  digest: digests.digestMessage(reportOf(["/quickstart"]), "native"),
  "not understood": faultMessage({ kind: "unknown", of: "subscribe", words: "tuesdays" }),
}

const listed = (dueAt?: number) => ({ what: "people", ...BY, dueAt })
const FEED: Subscription = { kind: "feedback", ...BY, since: 0, seen: [] }
const named = (one: Subscription, label?: string) => notes.subscriptionNames([one], () => label)

const SUBSCRIPTION_TEXTS: Texts = {
  "digest on": notes.turnedOn(named(DIGEST), DIGEST),
  "digest on, of several projects": notes.turnedOn(named(DIGEST, "docs"), DIGEST),
  "alerts on": notes.turnedOn(named(WATCH), WATCH),
  "feedback on": notes.turnedOn(named(FEED), FEED),
  off: notes.turnedOff("digest", named(DIGEST), ADA),
  "on already": notes.alreadyOn("digest"),
  "too many": notes.tooManyAlerts(10),
  "nothing to turn off": notes.nothingToTurnOff("alert"),
  none: notes.listOfPosts("feedback", []),
  ended: notes.subscriptionEnded("daily docs traffic digest", "C1", "I can't post there anymore"),
  list: notes.listOfPosts("alert", [listed(READ_AT), listed()]),
}

/** Messages about docs traffic, by kind. */
export const VISITOR_TEXTS = {
  Visitors: REPORT_TEXTS,
  "What readers didn't find": GAP_TEXTS,
  Alerts: ALERT_TEXTS,
  Digests: DIGEST_TEXTS,
  Subscriptions: SUBSCRIPTION_TEXTS,
}
