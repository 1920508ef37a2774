import { expect, test } from "vitest"
import { endings, type Job, type QueuePlace } from "../../src/jobs/job.ts"
import type { Overview } from "../../src/jobs/overview.ts"
import type { Message } from "../../src/ports/message.ts"
import { adminNotice } from "../../src/views/admin-notice.ts"
import {
  auditMessage,
  auditSentMessage,
  forgetExpiredMessage,
  forgetQuestion,
  forgettingMessage,
  forgottenMessage,
  keptMessage,
  noAuditMessage,
} from "../../src/views/audit.ts"
import { jobCard } from "../../src/views/card.ts"
import { adminsOnlyMessage, doctorMessage, examiningMessage } from "../../src/views/doctor.ts"
import { closingReply } from "../../src/views/endings.ts"
import { greeting } from "../../src/views/greeting.ts"
import { homeView } from "../../src/views/home.ts"
import { jobActionMessage } from "../../src/views/job-action.ts"
import { askModal } from "../../src/views/modal.ts"
import {
  courtesyMessage,
  hintMessage,
  retryQuestion,
  unclearMessage,
} from "../../src/views/near-miss-messages.ts"
import { helpMessage, quotaMessage, statusMessage } from "../../src/views/overview.ts"
import { cannotPost } from "../../src/views/post-refusals.ts"
import * as submission from "../../src/views/request-messages.ts"
import { notStopped, stoppedReply } from "../../src/views/stopped.ts"
import { changeMessage } from "../../src/views/visitors/changed.ts"
import * as digest from "../../src/views/visitors/digest.ts"
import * as csv from "../../src/views/visitors/export.ts"
import { helpMessage as visitorsHelp } from "../../src/views/visitors/help.ts"
import { improvementRequest } from "../../src/views/visitors/improve.ts"
import * as notices from "../../src/views/visitors/notices.ts"
import { reportMessage } from "../../src/views/visitors/report.ts"
import { aJob } from "../helpers/job.ts"
import { rendered } from "../helpers/rendered.ts"
import { PRIVATE, RANGE, READ_AT, reportOf } from "../helpers/visitors-facts.ts"

import { ASKED_FIRST } from "./texts/asked-first.ts"
import { OPERATOR_TEXTS } from "./texts/from-source.ts"
import { ALERT_TEXTS, DIGEST_TEXTS, GAP_TEXTS } from "./texts/gaps-and-alerts.ts"
import { PULL_REQUESTS, THREADS } from "./texts/pull-requests.ts"

const NOW = Date.UTC(2026, 10, 20, 20, 30)
const PULL = "https://github.com/acme/docs/pull/214"
const CARD = "https://acme.slack.com/archives/C0DOCS0001/p1"
const PROMPT = { words: "fix the quickstart: it needs Node 20.19" }
const USER = "U0ADA00001"

const job = (facts: Partial<Job>) => aJob({ user: USER, startedAt: NOW, card: "1.1", ...facts })
const place = (facts: Partial<QueuePlace>): QueuePlace => ({
  place: 1,
  startsAt: NOW,
  soon: false,
  paused: "",
  ...facts,
})
const waiting = job({ state: "queued" })
const running = job({ state: "active" })
const overview: Overview = {
  now: NOW,
  jobs: [
    { job: waiting, ...PROMPT, place: place({ place: 2 }) },
    { job: running, words: "explain webhooks" },
    { job: job({ state: "ended", ending: "pull_request", prLink: PULL }), words: "add an example" },
  ],
  more: 0,
  quotas: [
    { project: "docs-site", quota: { used: 2, ceiling: 99, left: 97, reserved: 5, waiting: 1 } },
  ],
  gitHubHost: "github.com",
}
const paused: Overview = {
  ...overview,
  quotas: [
    {
      project: "docs-site",
      quota: {
        used: 2,
        ceiling: 99,
        left: 97,
        reserved: 5,
        waiting: 1,
        pause: { reason: "key_refused", since: NOW },
      },
    },
  ],
}
const csvExport = {
  id: "x",
  state: "reading",
  team: "T1",
  project: "docs-site",
  range: RANGE,
  offset: 500,
  pages: 2,
  rows: 180,
  bytes: 9,
  repeats: 0,
  failures: 0,
  askedAt: NOW,
} as const
const ended = (facts: Partial<Job>) =>
  ({
    ...job({ state: "ended", endedAt: NOW + 240_000, ...facts }),
    ending: facts.ending ?? "failed",
  }) as const
const subscription = {
  id: "s",
  team: "T1",
  channel: "C1",
  user: USER,
  project: "docs-site",
  rhythm: { every: "weekly", hour: 9, minute: 0 },
  zone: "Europe/Berlin",
  dueAt: NOW,
} as const

const KINDS: Readonly<
  Record<
    string,
    Readonly<Record<string, Message | { blocks: Message["blocks"] } | string | undefined>>
  >
> = {
  Cards: {
    "starts at once": jobCard(waiting, PROMPT, place({ soon: true })),
    "in line": jobCard(waiting, PROMPT, place({})),
    "further back": jobCard(waiting, PROMPT, place({ place: 7 })),
    ...Object.fromEntries(
      ["rate_limited", "outage", "key_refused", "forbidden", "catching_up"].map((reason) => [
        `held up: ${reason}`,
        jobCard(waiting, PROMPT, place({ paused: reason, triedAt: NOW })),
      ]),
    ),
    starting: jobCard(job({ state: "creating" }), PROMPT),
    running: jobCard(running, PROMPT),
    "running, with a pull request": jobCard(job({ state: "active", prLink: PULL }), PROMPT),
    "a follow-up": jobCard(
      job({ state: "active", follows: "agent-1", first: "abc", asked: "1.2", prLink: PULL }),
      { words: "say the same on the install page" },
    ),
    ...Object.fromEntries(
      endings.map((ending) => [
        `ended: ${ending}`,
        jobCard(ended({ ending, ...(ending === "pull_request" ? { prLink: PULL } : {}) }), PROMPT),
      ]),
    ),
  },
  "Closing replies": Object.fromEntries(
    endings
      .filter((ending) => !["cancelled", "unfollowed", "no_card"].includes(ending))
      .map((ending) => [
        ending,
        closingReply(ended({ ending, ...(ending === "pull_request" ? { prLink: PULL } : {}) })),
      ]),
  ),
  "A job and its follow-up": THREADS,
  "What becomes of a pull request": PULL_REQUESTS,
  "Answers to buttons and verbs": {
    checking: jobActionMessage("check_now", { result: "done" }),
    "checked before": jobActionMessage("check_now", { result: "recent" }),
    "queued again": jobActionMessage("try_again", { result: "again", job: running }, CARD),
    "ended before": jobActionMessage(
      "cancel",
      { result: "not_now", job: job({ state: "ended", ending: "failed" }) },
      CARD,
    ),
    "somebody else's": jobActionMessage("cancel", { result: "not_yours", job: running }),
    "too late to cancel": jobActionMessage("cancel", { result: "not_now", job: running }),
    "nothing to retry": jobActionMessage("try_again", { result: "not_now", job: running }),
    "no such job": jobActionMessage("cancel", { result: "forgotten" }),
    "too old": jobActionMessage("try_again", { result: "forgotten" }),
    "retry after a success": retryQuestion({ id: "x", ending: "pull_request" }),
    "retry of an unconfirmed one": retryQuestion({ id: "x", ending: "unknown" }),
  },
  "What a button asks first": ASKED_FIRST,
  "Slack's place for agents": {
    greeting: greeting(),
    "stopped while it waited": stoppedReply([{ job: waiting, result: "cancelled" }], USER),
    "stopped while it ran": stoppedReply([{ job: running, result: "unfollowed" }], USER),
    "an admin stopped several": stoppedReply(
      [
        { job: waiting, result: "cancelled" },
        { job: waiting, result: "cancelled" },
        { job: running, result: "unfollowed" },
      ],
      "U0CLEO0001",
    ),
    "not stopped: somebody else's": notStopped([{ job: running, result: "not_yours" }]),
    "not stopped: starting": notStopped([{ job: running, result: "starting" }]),
    "not stopped: ended": notStopped([{ job: running, result: "ended" }]),
    "not stopped: nothing there": notStopped([]),
  },
  "Courtesies, hints and doubt": {
    thanks: courtesyMessage("thanks"),
    hello: courtesyMessage("greeting"),
    nice: courtesyMessage("comment"),
    cancel: hintMessage("cancel"),
    retry: hintMessage("retry"),
    quiet: hintMessage("quiet"),
    "project=": hintMessage("use"),
    visitors: hintMessage("visitors"),
    "forget me": hintMessage("forget-me"),
    "cancel subscriptions": unclearMessage("cancel subscriptions", "d"),
    "nothing but a mention": submission.blankMessage(),
  },
  "Refusals and trouble": {
    "asked before": submission.duplicateMessage("https://acme.slack.com/archives/C1/p1", "d"),
    "queue full": submission.fullMessage({ of: "waiting", waiting: 50 }),
    "words too long together": submission.fullMessage({ of: "too_much" }),
    "store nearly full": submission.fullMessage({ of: "no_room" }),
    "too long": submission.tooLongMessage(41_000, 40_000),
    "Slack too slow": submission.slackIsTooSlowMessage(),
    "no such project": submission.unknownProjectMessage("apy", ["api", "docs"]),
    guest: submission.refusedMessage("guest", USER, ["U0CLEO0001"]),
    channel: submission.refusedMessage("channel", USER, []),
    "cannot post": cannotPost(job({ channel: "C0RANDOM01" }), "not_in_channel"),
    token: submission.tokenRefusedMessage("token_revoked"),
    "store away": submission.storeAwayMessage(),
    slow: submission.slowMessage(),
    "slow work": submission.slowWorkMessage(),
    broken: submission.brokenMessage(),
  },
  "Status, quota, help, Home and form": {
    status: statusMessage(overview),
    quota: quotaMessage(overview),
    help: helpMessage(),
    Home: homeView(overview, { isAdmin: false }),
    "Home of an admin, paused": homeView(paused, { isAdmin: true }),
    form: askModal({ draft: "d", project: "docs", projects: ["docs"], channel: "C1" }),
    "form about a message": askModal({
      draft: "d",
      project: "docs",
      projects: ["docs"],
      channel: "C1",
      quoted: "The quickstart still says Node 18.",
    }),
  },
  Visitors: {
    report: reportMessage(reportOf(["/quickstart", "/auth"]), PRIVATE, "chart"),
    "report of a filter": reportMessage(
      reportOf(["/auth"], {
        question: { project: "docs", range: RANGE, by: "total", page: 1, filter: "/auth" },
      }),
      PRIVATE,
      "chart",
    ),
    "what changed": changeMessage(
      {
        question: reportOf([]).question,
        previous: RANGE,
        changes: {
          rose: [{ path: "/auth", now: 150, before: 50 }],
          fell: [],
          mostlyAi: [],
          floors: { move: 10, read: 20 },
        },
        whole: true,
        running: false,
        readAt: READ_AT,
      },
      PRIVATE,
    ),
    "improve this page": improvementRequest(
      "/quickstart",
      { human: 1644, ai: 790 },
      "in the last 7 days",
    ),
    help: visitorsHelp(),
    "still reading": notices.readingMessage(RANGE),
    unavailable: notices.unavailableMessage(RANGE, { fault: "unreachable" }),
    expired: notices.expiredMessage(),
    subscribed: digest.subscribedMessage(subscription),
    "subscribed before": digest.subscribedBeforeMessage(subscription),
    unsubscribed: digest.unsubscribedMessage(USER, [subscription]),
    "no subscription": digest.nothingSubscribed(),
    subscriptions: digest.subscriptionsMessage([subscription]),
    "digest ended": digest.digestEnded(subscription),
    "CSV asked for": csv.exportStarted(false),
    "CSV on its way": csv.exportProgress(csvExport, undefined),
    "CSV waits": csv.exportProgress(csvExport, NOW),
    "CSV done": csv.exportDone(csvExport),
    "CSV failed": csv.exportFailed(csvExport, { fault: "unreachable" }),
  },
  "What readers didn't find": GAP_TEXTS,
  Alerts: ALERT_TEXTS,
  Digests: DIGEST_TEXTS,
  Admins: {
    "key refused": adminNotice({ project: "docs-site", kind: "key_refused", since: NOW }),
    forbidden: adminNotice({ project: "docs-site", kind: "forbidden", since: NOW }),
    "job path": adminNotice({ project: "docs-site", kind: "job_path", since: NOW }),
    "no admin": adminsOnlyMessage(),
    examining: examiningMessage(),
    "doctor finds a fault": doctorMessage([
      { check: "redis", level: "fault", says: "Redis doesn't answer", next: "Start it." },
      { check: "settings", level: "warning", says: "No admin is set", next: "Set ADMIN_USERS." },
    ]),
    doctor: doctorMessage([
      { check: "redis", level: "ok", says: "Redis answers" },
      { check: "settings", level: "warning", says: "No admin is set", next: "Set ADMIN_USERS." },
    ]),
    audit: auditMessage(),
    "audit sent": auditSentMessage(12),
    "no audit": noAuditMessage(),
    "to be forgotten": forgetQuestion({ waiting: 0, running: 0 }, "abcdefgh23"),
    "to be forgotten while jobs are open": forgetQuestion({ waiting: 2, running: 1 }, "abcdefgh23"),
    "to be forgotten, too late": forgetExpiredMessage(),
    "not to be forgotten": keptMessage(),
    forgetting: forgettingMessage(),
    forgotten: forgottenMessage({ cancelled: 0, running: 0 }),
    "forgotten while jobs were open": forgottenMessage({ cancelled: 2, running: 1 }),
  },
  Operators: OPERATOR_TEXTS,
}

function shown(text: Message | { blocks: Message["blocks"] } | string | undefined): string {
  if (text === undefined) return "(nothing: the card says it)"
  return typeof text === "string" ? text : rendered(text.blocks)
}

/** For whoever edits a sentence: all of them in one file, which `vitest -u` writes again. */
test("every text by its kind", async () => {
  const kinds = Object.entries(KINDS).map(([kind, texts]) => {
    const each = Object.entries(texts).map(
      ([name, text]) => `**${name}**\n\n${shown(text).replace(/^/gm, "    ")}`,
    )
    return `## ${kind}\n\n${each.join("\n\n")}`
  })
  const file = `# What the bot says\n\nMade by a test from the views; \`vitest -u\` writes it again.\n\n${kinds.join("\n\n")}\n`
  await expect(file).toMatchFileSnapshot("./texts/texts.md")
})

// Screen readers and notifications get `text` and nothing of the blocks.
test("every message can be read from its text alone: the state, and every link that a button holds", () => {
  const unsaid: string[] = []
  for (const [kind, texts] of Object.entries(KINDS))
    for (const [name, text] of Object.entries(texts)) {
      if (typeof text !== "object" || !("text" in text)) continue
      const blocks = rendered(text.blocks).replace(/:[a-z_]+: /g, "")
      const state = /\*([^*\n]+)\*/.exec(blocks)?.[1] ?? blocks.slice(0, 12)
      const urls = [...JSON.stringify(text.blocks).matchAll(/"url":"([^"]+)"/g)].map(
        ([, url]) => url,
      )
      for (const fact of [state.replace(/[:,.]$/, ""), ...urls])
        if (!text.text.includes(fact ?? "")) unsaid.push(`${kind}: ${name}: ${fact}`)
    }
  expect(unsaid).toEqual([])
})
