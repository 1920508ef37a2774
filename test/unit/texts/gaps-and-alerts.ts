import * as alerts from "../../../src/messages/visitors/alerts.ts"
import * as digest from "../../../src/messages/visitors/digest.ts"
import * as notices from "../../../src/messages/visitors/gap-notices.ts"
import { gapsMessage } from "../../../src/messages/visitors/gaps.ts"
import { reportMessage } from "../../../src/messages/visitors/report.ts"
import type { Message } from "../../../src/ports/message.ts"
import type { Watch } from "../../../src/visitors/alerts/ports.ts"
import type { Story } from "../../../src/visitors/alerts/story.ts"
import type { GapReport } from "../../../src/visitors/gaps/report.ts"
import { RANGE, READ_AT, reportOf } from "../../helpers/visitors-facts.ts"

const GAPS: GapReport = {
  question: { project: "docs", range: RANGE },
  questions: {
    kind: "known",
    value: [
      {
        kind: "question",
        text: "How do I rotate a key?",
        asked: 3,
        pages: [{ path: "/auth", asked: 2 }],
      },
    ],
  },
  searches: {
    kind: "known",
    value: [{ kind: "search", text: "webhook retries", hits: 9, lost: 8, path: "/webhooks" }],
  },
  pages: { kind: "known", value: [{ kind: "page", path: "/auth", up: 1, down: 5, readers: 90 }] },
  unanswered: { read: 30, unanswered: 3, isWhole: true },
  readAt: READ_AT,
}
const FEW: GapReport = {
  ...GAPS,
  questions: { kind: "absent" },
  searches: { kind: "failed", fault: "unreachable" },
  pages: { kind: "known", value: [] },
}
const LATER = { fault: "rate_limited", retryAt: READ_AT } as const

/** What readers did not find. */
export const GAP_TEXTS: Readonly<Record<string, Message>> = {
  gaps: gapsMessage(GAPS, { kind: "private", id: "x" }),
  "shared gaps of a deployment that offers less": gapsMessage(FEW, {
    kind: "shared",
    id: "x",
    by: "U0ADA00001",
  }),
  "still reading": notices.readingGapsMessage(RANGE),
  unavailable: notices.noGapsMessage(RANGE, {
    kind: "unavailable",
    why: { fault: "unreachable" },
  }),
  "too little left of the hour": notices.noGapsMessage(RANGE, {
    kind: "too_few_left",
    needed: 8,
    free: 3,
    why: LATER,
  }),
  expired: notices.gapsExpiredMessage(),
  "CSV sent": notices.gapsCsvSentMessage(),
  "CSV in the direct message": notices.gapsCsvMessage(RANGE),
  "CSV not sent": notices.gapsCsvUnsentMessage("file_uploads_disabled"),
}

const PEOPLE: Watch = {
  id: "w",
  project: "docs",
  of: "human",
  user: "U0ADA00001",
  from: RANGE.from,
}
const AI: Watch = { ...PEOPLE, of: "ai", filter: "/guides" }
const story = (direction: Story["direction"], to = RANGE.from): Story => ({
  direction,
  from: RANGE.from,
  to,
})
const MOVERS = [{ path: "/quickstart", before: 90, now: 20 }]
const over = { story: story("drop"), visitors: 95, usual: 90, day: RANGE.to }

/** Days that are far off what they usually are. */
export const ALERT_TEXTS: Readonly<Record<string, Message>> = {
  drop: alerts.alertMessage([
    {
      watch: PEOPLE,
      news: { began: { story: story("drop"), visitors: 20, usual: 90 } },
      movers: MOVERS,
      report: "x",
    },
  ]),
  spike: alerts.alertMessage([
    {
      watch: AI,
      news: { began: { story: story("spike", RANGE.to), visitors: 300, usual: 90 } },
      movers: [],
      report: "x",
    },
  ]),
  over: alerts.alertMessage([{ watch: PEOPLE, news: { over }, movers: [], report: "x" }]),
  "came and went": alerts.alertMessage([
    {
      watch: PEOPLE,
      news: { began: { story: story("drop"), visitors: 20, usual: 90 }, over },
      movers: [],
      report: "x",
    },
  ]),
  "turned on": alerts.alertsOnMessage("U0ADA00001", [PEOPLE, AI]),
  "turned off": alerts.alertsOffMessage("U0ADA00001", [PEOPLE]),
  "on already": alerts.alertsOnAlready(),
  none: alerts.noAlertsMessage(),
  list: alerts.alertsMessage({
    team: "T1",
    channel: "C1",
    watches: [PEOPLE, AI],
    state: { w: { judged: RANGE.to, story: story("drop") } },
    asRead: "",
  }),
  "too many": alerts.tooManyAlerts(10),
  "not understood": alerts.alertFaultMessage("maybe"),
  "neither on nor off": alerts.alertFaultMessage(""),
  "too old": alerts.reportExpiredMessage(),
  "cannot post": alerts.cannotAlertMessage({ code: "not_in_channel", verdict: "give_up" }, "C1"),
}

const subscription = {
  id: "s",
  team: "T1",
  channel: "C1",
  user: "U0ADA00001",
  project: "docs",
  rhythm: { every: "weekly", hour: 9, minute: 0 },
  zone: "Europe/Berlin",
  dueAt: READ_AT,
} as const

/** What comes by itself. */
export const DIGEST_TEXTS: Readonly<Record<string, Message>> = {
  "with gaps": notices.withGaps(
    reportMessage(
      reportOf(["/quickstart"]),
      { kind: "digest", rhythm: digest.digestLine(subscription) },
      "chart",
    ),
    { report: GAPS, id: "x" },
  ),
  "without gaps this time": notices.withGaps({ text: "(the digest)", blocks: [] }, { why: LATER }),
  skipped: digest.digestSkipped(subscription, { fault: "unreachable" }),
  "cannot post": digest.cannotSubscribeMessage(
    { code: "not_in_channel", verdict: "give_up" },
    "C1",
  ),
}
