import { mkdir, writeFile } from "node:fs/promises"
import { afterAll, describe, expect, test } from "vitest"
import type { Pull, QueuePlace } from "../../src/jobs/job.ts"
import { type Ask, endings, type Round } from "../../src/jobs/round-record.ts"
import * as notices from "../../src/messages/admin-notices.ts"
import { askModal, formLate } from "../../src/messages/ask-form-view.ts"
import { jobCard } from "../../src/messages/card.ts"
import { resultReply } from "../../src/messages/closing-reply.ts"
import { greeting, helpMessage } from "../../src/messages/help.ts"
import * as own from "../../src/messages/private-answers.ts"
import * as questions from "../../src/messages/questions.ts"
import { quotaMessage } from "../../src/messages/quota.ts"
import * as refusedActions from "../../src/messages/refused-actions.ts"
import { type NotNowAction, nothingToDo, WHILE_OPEN } from "../../src/messages/refused-actions.ts"
import * as refusals from "../../src/messages/refused-requests.ts"
import { unreadFilesMessage } from "../../src/messages/refused-requests.ts"
import { reminderMessage } from "../../src/messages/reminder-message.ts"
import { endPost, reviewPost } from "../../src/messages/review-and-merge-posts.ts"
import { homeView, type OverviewFacts, statusMessage } from "../../src/messages/status-and-home.ts"
import { checkClock } from "../../src/operating/doctor/check-redis.ts"
import { checkScopes } from "../../src/operating/doctor/check-slack.ts"
import { doctorMessage } from "../../src/operating/doctor/finding.ts"
import type { Home, Message, Modal } from "../../src/slack/message-types.ts"
import { NOT_SHARED } from "../../src/visitors/report-unavailable.ts"
import { NOT_TURNED_ON } from "../../src/visitors/subscription-notices.ts"
import { checkMessage, checkView } from "../helpers/block-kit.ts"
import { anAsk, aRound, type JobFacts, aJob as someJob } from "../helpers/job.ts"
import { dialogsIn, rendered } from "../helpers/rendered.ts"
import { VISITOR_TEXTS } from "./texts/visitors.ts"

/** Folder for what people read after a run; nothing compares it. */
const COVERAGE = new URL("../../coverage/", import.meta.url)
const NOW = Date.UTC(2026, 10, 20, 20, 30)
const PULL = "https://github.com/acme/docs/pull/214"
const CARD = "https://acme.slack.com/archives/C0DOCS0001/p1"
const WORDS = "fix the quickstart: it needs Node 20.19"
const [ADA, BEN, CLEO, BOT] = ["U0ADA00001", "U0BEN00001", "U0CLEO0001", "U0BOT00001"] as const
const FULL = { outcome: "full", most: 50 } as const
const REQUEST = { words: WORDS, draft: "d" }

const ask = (facts: Partial<Ask>) => anAsk({ user: ADA, at: NOW, ...facts })
const aJob = (facts: JobFacts) =>
  someJob({
    channel: "C0DOCS0001",
    user: ADA,
    turnOf: ADA,
    at: NOW,
    mayStartAt: NOW - 1,
    card: "1.1",
    rounds: [aRound({ asks: [ask({})] })],
    ...facts,
  })

const pull = (facts: Partial<Pull>): Pull => ({
  owner: "acme",
  repo: "docs",
  number: 214,
  since: NOW,
  failures: 0,
  title: "Require Node 20.19",
  lookedAt: NOW,
  ...facts,
})
const aReview = (facts: Partial<NonNullable<Pull["review"]>>) =>
  ({ id: "1", state: "posted", round: "round1", ...facts }) as NonNullable<Pull["review"]>
const size = { of: "abc", files: 3, added: 45, removed: 9, names: ["a.md", "b.md"] }
const place = (facts: Partial<QueuePlace>): QueuePlace => ({
  place: 7,
  startsAt: NOW + 1_800_000,
  paused: "",
  ...facts,
})
const card = (facts: JobFacts, at?: QueuePlace, formWords = "") =>
  jobCard({
    formWords,
    job: aJob({ ...facts, ...(at ? { place: at } : {}) }),
    words: WORDS,
    name: "Ada",
    gitHubHost: "github.com",
    admins: [CLEO],
    now: NOW,
  })
const result = (facts: JobFacts) =>
  resultReply({
    job: aJob({ state: "ended", startedAt: NOW, endedAt: NOW + 240_000, ...facts }),
    users: [ADA],
    gitHubHost: "github.com",
  })
const ready: JobFacts = { state: "ended", ending: "pull_request", prLink: PULL }
const first = (facts: Partial<Round> = {}) =>
  aRound({ id: "round0", asks: [ask({})], ending: "pull_request", ...facts })
const follow: JobFacts = {
  prLink: PULL,
  agentJobId: "agent-1",
  rounds: [first(), aRound({ way: "message", asks: [ask({ id: "ask2", user: BEN })] })],
}

/** Jobs by what came of them before somebody clicks an old button. */
const LATE_FOR = {
  working: aJob({ state: "active" }),
  ready: aJob(ready),
  approved: aJob({ ...ready, pull: pull({ state: "approved", by: "ben" }) }),
  merged: aJob({ ...ready, pull: pull({ state: "merged", by: "ben" }) }),
  closed: aJob({ ...ready, pull: pull({ state: "closed" }) }),
  failed: aJob({ state: "ended", ending: "failed" }),
}

const listed = (facts: JobFacts, words = WORDS) => ({ job: aJob(facts), words, card: CARD })
const overview: OverviewFacts["overview"] = {
  now: NOW,
  zone: "UTC",
  jobs: [
    { ...listed({}), place: place({ place: 2 }) },
    listed({ state: "active" }, "explain webhooks"),
    listed({ ...follow, state: "active" }, "say it on the install page"),
    listed({ ...ready, pull: pull({ state: "open" }) }, "add an example"),
    listed(
      {
        ...ready,
        pull: pull({
          state: "changes_requested",
          review: aReview({}),
        }),
      },
      "split the page",
    ),
    listed({ ...ready, pull: pull({ state: "approved", touchedAt: NOW - 9e8 }) }, "fix typos"),
    listed({ ...ready, pull: pull({ state: "merged" }) }, "name the limits"),
    listed({ state: "ended", ending: "failed" }, ""),
  ],
  quotas: [{ project: "p1", quota: { used: 2, ceiling: 99, waiting: 1 } }],
}
const facts: OverviewFacts = {
  overview,
  nameOf: () => "docs-site",
  gitHubHost: "github.com",
  admins: [CLEO],
  isStale: ({ pull: of }) => of?.touchedAt === NOW - 9e8,
}
const withQuota = (quota: Partial<OverviewFacts["overview"]["quotas"][number]["quota"]>) => ({
  ...facts,
  overview: {
    ...overview,
    jobs: [],
    quotas: [{ project: "p1", quota: { used: 99, ceiling: 99, waiting: 3, ...quota } }],
  },
})
const paused = withQuota({ pause: { reason: "key_refused" } })
const trouble = {
  kind: "key_refused",
  project: "p1",
  label: "docs-site",
  host: "api.example.com",
  setting: "DOCS_PROJECTS",
  isInContainer: false,
  waiting: 12,
  since: NOW,
  admins: [CLEO, BEN],
} as const

/** Cards that show only their state: others add a title or lines of history. */
const BARE: Record<string, Message> = {
  "just asked": card({ mayStartAt: NOW + 5000 }),
  "starts at once": card({}, place({ startsAt: NOW })),
  "in line": card({}, place({})),
  "next in line": card({}, place({ place: 1 })),
  ...Object.fromEntries(
    (["rate_limited", "outage", "key_refused", "forbidden"] as const).map((reason) => [
      `paused: ${reason}`,
      card({}, place({ paused: reason, startsAt: NOW })),
    ]),
  ),
  starting: card({ state: "creating" }),
  working: card({ state: "active", startedAt: NOW }),
  "working, with a pull request": card({ state: "active", prLink: PULL }),
  "working, though it is merged": card({
    state: "active",
    prLink: PULL,
    pull: pull({ state: "merged", title: "" }),
  }),
  "updating, asked by Ben": card({ ...follow, state: "active" }),
  ...Object.fromEntries(
    endings.map((ending) => [
      `ended: ${ending}`,
      card({ state: "ended", ending, ...(ending === "pull_request" ? { prLink: PULL } : {}) }),
    ]),
  ),
  draft: card({ ...ready, pull: pull({ state: "draft", title: "" }) }),
  approved: card({ ...ready, pull: pull({ state: "approved", title: "" }) }),
  "changes requested": card({
    ...ready,
    pull: pull({
      state: "changes_requested",
      title: "",
      by: "cleo",
      review: aReview({}),
    }),
  }),
}

const KINDS: Record<string, Record<string, Message>> = {
  Cards: {
    ...BARE,
    "in line, in a project": jobCard({
      job: aJob({
        note: "unread",
        place: place({}),
      }),
      words: WORDS,
      project: "api",
      gitHubHost: "github.com",
      admins: [],
      now: NOW,
    }),
    "below the message that asked": card({ thread: "1.1", asks: [ask({ ts: "1.2" })] }),
    "follow-ups wait while it works": card({
      state: "active",
      waiting: [ask({ id: "ask2", user: BEN }), ask({ id: "ask3" })],
    }),
    "more follow-ups than it shows": card({
      state: "active",
      waiting: [1, 2, 3, 4, 5, 6, 7].map((n) => ask({ id: `w${n}`, user: BEN })),
    }),
    "looked for again": card({ state: "active", again: { user: ADA, how: "look" } }),
    "a follow-up joined what is queued": card({
      asks: [ask({}), ask({ id: "ask2", user: BEN })],
    }),
    "a follow-up from a form joined another": card(
      {
        ...follow,
        state: "queued",
        card: "1.2",
        asks: [ask({ id: "ask2", user: BEN }), ask({ id: "ask3" })],
      },
      place({}),
      "make it shorter",
    ),
    "an update waits its turn": card({ ...follow, state: "queued" }, place({})),
    "an update from a form": card({ ...follow, state: "active" }, undefined, "make it shorter"),
    "run again with other words": card(
      {
        rounds: [first({ ending: "failed" }), aRound({ asks: [ask({ id: "ask2" })] })],
        state: "ended",
        ending: "failed",
      },
      undefined,
      "make it *shorter*",
    ),
    "run again, and followed up": card({
      state: "ended",
      ending: "failed",
      rounds: [first({ ending: "failed" }), aRound()],
      again: { user: CLEO, how: "run" },
      asks: [ask({}), ask({ id: "ask2", user: BEN, at: NOW + 2 })],
    }),
    "an update whose follow-up became another job": card({
      ...follow,
      asks: [],
      state: "ended",
      ending: "archived",
    }),
    "an update failed": card({ ...follow, state: "ended", ending: "failed" }),
    "a first attempt failed after its link": card({
      prLink: follow.prLink ?? "",
      state: "ended",
      ending: "failed",
    }),
    "updated, as two people asked": card({
      ...ready,
      ...follow,
      asks: [BEN, BEN, CLEO].map((user, n) => ask({ id: `by${n}`, user })),
    }),
    "updated, after a review": card({
      ...follow,
      state: "ended",
      ending: "pull_request",
      pull: pull({ size }),
      asks: [ask({ id: "ask2", kind: "review" })],
    }),
    merged: card({ ...ready, pull: pull({ state: "merged", by: "ben", size }) }),
    closed: card({ ...ready, pull: pull({ state: "closed" }) }),
  },
  Results: {
    ...Object.fromEntries(
      endings
        .filter((ending) => !["cancelled", "no_card", "not_allowed"].includes(ending))
        .map((ending) => [
          ending,
          result({ ending, ...(ending === "pull_request" ? { prLink: PULL } : {}) }),
        ]),
    ),
    "pull request, with its size": result({ ...ready, pull: pull({ size }) }),
    updated: result({ ...follow, ending: "pull_request", pull: pull({ size }) }),
    "updated, its size not looked up since": result({
      ...follow,
      ending: "pull_request",
      pull: pull({ size, lookedAt: NOW - 1 }),
    }),
    "merged before it was told": result({
      ...ready,
      pull: pull({ state: "merged", by: "ben", size }),
    }),
    "a follow-up without an answer": result({ ...follow, ending: "unknown" }),
    "a bad link": result({ ending: "pull_request", prLink: "javascript:alert(1)" }),
    "rejected, with a reason": result({ ending: "refused", detail: "text is <too> long" }),
  },
  "Questions and private answers": {
    "asked before": questions.duplicateQuestion(REQUEST, CARD),
    unclear: questions.unclearQuestion({ words: "beta page", draft: "d" }),
    "somebody else's": refusedActions.notYours([ADA]),
    "the form came late": formLate("d"),
    ...Object.fromEntries(
      Object.keys(WHILE_OPEN).flatMap((action) =>
        Object.entries(LATE_FOR).map(([when, job]) => [
          `${action} while ${when}`,
          nothingToDo(action as NotNowAction, { job, gitHubHost: "github.com", at: CARD }),
        ]),
      ),
    ),
  },
  "Answers that are the same for everybody": Object.fromEntries(
    Object.keys(own.ANSWERS).map((what) => [what, own.say(what as keyof typeof own.ANSWERS)]),
  ),
  Refusals: {
    ...Object.fromEntries(
      (["channel", "user", "guest", "stranger", "bot", "unclear"] as const).map((refusal) => [
        refusal,
        refusals.refusedAccess(refusal, { user: ADA, admins: [CLEO] }, REQUEST),
      ]),
    ),
    "channel, to an admin": refusals.refusedAccess("channel", { user: CLEO, admins: [CLEO] }),
    "cannot post": refusals.cannotPost(
      "not_in_channel",
      { channel: "C1", botUser: BOT, admins: [CLEO] },
      REQUEST,
    ),
    "cannot post between people": refusals.cannotPost(
      "channel_not_found",
      { channel: "D1", botUser: BOT, admins: [] },
      REQUEST,
    ),
    "cannot post for another reason": refusals.cannotPost("msg_too_long", {
      channel: "C1",
      botUser: BOT,
      admins: [CLEO],
    }),
    "cannot share": refusals.cannotPostHere(
      { code: "not_in_channel", verdict: "give_up" },
      { channel: "C1", botUser: BOT, admins: [] },
      NOT_SHARED,
    ),
    "cannot subscribe yet": refusals.cannotPostHere(
      { code: "ratelimited", verdict: "later" },
      { channel: "C1", botUser: BOT, admins: [] },
      NOT_TURNED_ON,
    ),
    ...Object.fromEntries(
      Object.entries({ NOT_SHARED, NOT_TURNED_ON }).map(([name, words]) => [
        `unconfirmed, ${name}`,
        refusals.cannotPostHere(
          { code: "no_answer", verdict: "unknown" },
          { channel: "C1", botUser: BOT, admins: [] },
          words,
        ),
      ]),
    ),
    ...Object.fromEntries(
      [refusals.BROKEN_HERE, "missing_scope", "is_archived"].map((code) => [
        `cannot post, ${code}`,
        refusals.cannotPost(code, { channel: "C1", botUser: BOT, admins: [CLEO] }),
      ]),
    ),
    "queue full": refusals.fullMessage({ ...FULL, of: "waiting" }, [], REQUEST),
    "queue full, long request": refusals.fullMessage({ ...FULL, of: "waiting" }, [], {
      ...REQUEST,
      words: "long ".repeat(601),
    }),
    "too many follow-ups": refusals.fullMessage({ ...FULL, of: "follow_ups" }, [], REQUEST),
    "follow-ups too long": refusals.fullMessage(
      { ...FULL, of: "bytes", most: 185_000 },
      [],
      REQUEST,
    ),
    "no room": refusals.fullMessage({ outcome: "no_room" }, [CLEO], REQUEST),
    "no such project": refusals.unknownProjectMessage("apy", ["api", "docs"], REQUEST),
    "files of another kind": unreadFilesMessage(
      [{ id: "F1", name: "screen.png", why: "not_text" }],
      [],
    ),
    "files it may not read": unreadFilesMessage(
      [
        { id: "F1", name: "a.md", why: "no_permission" },
        { id: "F2", why: "no_room" },
      ],
      [CLEO],
    ),
  },
  Troubles: {
    disconnected: refusals.troubleMessage("disconnected", [CLEO], "token_revoked", REQUEST),
    unanswerable: refusals.troubleMessage("unanswerable", [CLEO], "invalid_blocks"),
    broken: own.quoting(refusals.troubleMessage("broken", [CLEO]), WORDS),
    "a review that GitHub does not show": refusals.troubleMessage("review_unread", [CLEO]),
  },
  "Reviews and reminders": {
    "changes requested": reviewPost({
      job: aJob({
        ...ready,
        pull: pull({ by: "cleo", review: aReview({ state: "due" }) }),
      }),
      users: [ADA],
      gitHubHost: "github.com",
    }),
    merged: endPost({
      job: aJob({ ...ready, pull: pull({ state: "merged", by: "cleo" }) }),
      users: [ADA, BEN],
      gitHubHost: "github.com",
    }),
    "reminder of one": reminderMessage(
      [listed({ ...ready, pull: pull({ state: "open" }) })],
      "github.com",
    ),
    "reminder of many": reminderMessage(
      (["approved", "changes_requested", "open"] as const)
        .map((state) => listed({ ...ready, pull: pull({ state }) }))
        .concat(Array.from({ length: 9 }, () => listed({ ...ready, pull: pull({}) }))),
      "github.com",
    ),
  },
  "Status, quota, help": {
    status: statusMessage(facts),
    "status of nothing": statusMessage({ ...facts, overview: { ...overview, jobs: [] } }),
    quota: quotaMessage(facts),
    "quota used up": quotaMessage(withQuota({ startsAt: NOW })),
    "quota reserved": quotaMessage(withQuota({ used: 95, startsAt: NOW, isReserved: true })),
    "quota, paused": quotaMessage(paused),
    "quota, used up elsewhere": quotaMessage(
      withQuota({ used: 2, pause: { reason: "rate_limited", until: NOW + 60_000 } }),
    ),
    help: helpMessage(),
    greeting: greeting(),
  },
  "Slack's Stop button": {
    cancelled: refusedActions.stoppedMessage(["cancelled"]),
    several: refusedActions.stoppedMessage(["cancelled", "cancelled", "muted"]),
    "somebody else's": refusedActions.stoppedMessage([{ owners: [ADA, BEN] }]),
    nothing: refusedActions.stoppedMessage([]),
  },
  Admins: {
    "key rejected": notices.adminNotice(trouble, CLEO),
    forbidden: notices.adminNotice(
      { ...trouble, kind: "forbidden", waiting: 0, admins: [CLEO] },
      CLEO,
    ),
    "key rejected, in a container": notices.adminNotice({ ...trouble, isInContainer: true }, CLEO),
    "job path": notices.adminNotice({ ...trouble, kind: "job_path" }, CLEO),
    "restored from a backup": notices.adminNotice({ ...trouble, kind: "restored" }, CLEO),
    "queue resumed": own.queueResumed(undefined),
    "requests dropped": own.requestsDropped(12),
    "no worker": notices.noWorker({ waiting: 3, since: NOW }, [CLEO, BEN], CLEO),
    "no worker, ever": notices.noWorker({ waiting: 101, since: 0 }),
    "saved until a worker runs": own.savedForLater([CLEO]),
    "saved, and nobody was told": own.savedForLater([]),
    "GitHub token": notices.gitHubRefused("token", { isInContainer: false }),
    "GitHub repository": notices.gitHubRefused("repository", {
      isInContainer: false,
      repository: "acme/docs",
    }),
    "no admin": refusedActions.adminsOnly([CLEO], "do that"),
    "no admin is set": refusedActions.adminsOnly([], "resume the queue"),
    doctor: doctorMessage([
      checkClock(90_000),
      checkScopes({ mode: "socket" } as Parameters<typeof checkScopes>[0], []),
      checkClock(0),
    ]),
    "audit sent": own.auditSent(12),
    "audit rejected": refusals.troubleMessage("file_rejected", [], "storage_limit_reached"),
    "to be forgotten": questions.forgetQuestion("q"),
  },
  ...VISITOR_TEXTS,
}

const VIEWS: Record<string, Home | Modal> = {
  Home: homeView(facts),
  "Home of nobody": homeView({ ...facts, overview: { ...overview, jobs: [] } }),
  "Home, paused": homeView(paused),
  form: askModal({ draft: "d", project: "p1", projects: [], channel: "C1" }),
  "form about a message, several projects": askModal({
    draft: "d",
    project: "p2",
    projects: [
      { key: "p1", name: "api" },
      { key: "p2", name: "docs" },
    ],
    quoted: "The quickstart still says Node 18.",
    isAboutMessage: true,
    leavesOut: true,
    withThread: true,
    initial: "update it",
  }),
}

/** Writes every message by its kind, for people and for `npm run test:blocks`. */
afterAll(async () => {
  const shown: Record<string, Record<string, { blocks: Message["blocks"] }>> = {
    ...KINDS,
    Views: VIEWS,
  }
  const kinds = Object.entries(shown).map(([kind, texts]) => {
    const each = Object.entries(texts).map(
      ([name, { blocks }]) => `**${name}**\n\n${rendered(blocks).replace(/^/gm, "    ")}`,
    )
    return `## ${kind}\n\n${each.join("\n\n")}`
  })
  const asked = Object.values(shown).flatMap((texts) => Object.values(texts).flatMap(dialogsIn))
  kinds.push(`## Confirmation dialogs\n\n${[...new Set(asked)].join("\n\n")}`)
  const payloads = Object.entries(shown).flatMap(([kind, texts]) =>
    Object.entries(texts).map(([name, payload]) => ({
      name: `${kind}: ${name}`,
      ...("text" in payload ? { message: payload } : { view: payload }),
    })),
  )
  await mkdir(COVERAGE, { recursive: true })
  await writeFile(new URL("messages.json", COVERAGE), JSON.stringify(payloads))
  await writeFile(
    new URL("messages.md", COVERAGE),
    `# What the bot says\n\n${kinds.join("\n\n")}\n`,
  )
})

/** Words and buttons that people rely on, in the order in which they stand. */
const PROMISED: readonly [kind: string, name: string, ...words: string[]][] = [
  ["Cards", "just asked", "Starting in a moment", WORDS, "[Cancel]"],
  ["Cards", "in line", "starts around 2026-11-20 21:00 UTC", "7th in line", "[Cancel]"],
  ["Cards", "paused: rate_limited", "hourly limit", "next try around", "[Cancel]"],
  ["Cards", "paused: key_refused", "*Paused*", `<@${CLEO}> replaces the API key`],
  ["Cards", "working", "*Working on it*", "started", "[Mute]"],
  ["Cards", "working, with a pull request", "may still change", "[View pull request]"],
  ["Cards", "follow-ups wait while it works", BEN, "is waiting", "[Cancel] [Start separately]"],
  ["Cards", "more follow-ups than it shows", "2 earlier follow-ups not shown"],
  ["Cards", "updated, as two people asked", "acme/docs#214", "Written by AI", BEN, CLEO],
  ["Cards", "merged", "*Merged* by ben", "acme/docs#214", ADA],
  [
    "Results",
    "pull_request",
    ADA,
    "Written by AI: review it before merging",
    "[View pull request]",
  ],
  ["Results", "updated", ADA, "*Updated*", "3 files, +45 −9"],
  ["Results", "no_pull_request", "[Look for a pull request] [Run again] [Edit and run again]"],
  ["Results", "failed", "It didn't say why", "[Run again] [Edit and run again]"],
  ["Results", "lost", "stopped checking", "[Look for a pull request]"],
  ["Results", "unknown", "Before running this again, check for a new pull request", "[Run again]"],
  ["Results", "a bad link", "its link can't be shown", "Find it in your repository"],
  ["Questions and private answers", "asked before", "view it", "[Run again] [Don't run]"],
  ["Refusals", "guest", `Ask <@${CLEO}>`, ADA, WORDS],
  ["Refusals", "cannot post", "Invite me", WORDS, "[Run it in a direct message]"],
  ["Refusals", "queue full", "50 requests queued", WORDS, "[Edit and send again]"],
  ["Reviews and reminders", "changes requested", ADA, "by cleo", "[Address the review]"],
  ["Status, quota, help", "status", "Needs you", "Working", "2nd in line", "Done"],
  ["Status, quota, help", "quota reserved", "reserved for people with fewer than 5 requests"],
  ["Status, quota, help", "help", "Review every pull request before merging", "forget-me"],
]

test.each(PROMISED)("%s, %s: it says what people rely on", (kind, name, ...words) => {
  const text = rendered(KINDS[kind]?.[name]?.blocks ?? [])
  const places = words.map((word) => text.indexOf(word))
  expect({ text, places }).toEqual({ text, places: places.toSorted((a, b) => a - b) })
  expect(places).not.toContain(-1)
})

const ALL = Object.entries(KINDS).flatMap(([kind, texts]) =>
  Object.entries(texts).map(([name, message]) => [`${kind}: ${name}`, message] as const),
)

test.each(ALL)(
  "Slack takes it, and its text alone says the state and every address: %s",
  (_, message) => {
    expect(checkMessage(message)).toEqual([])
    const state = /\*([^*\n]+)\*/.exec(rendered(message.blocks))?.[1] ?? ""
    const urls = [...JSON.stringify(message.blocks).matchAll(/"url":"([^"]+)"/g)]
    for (const fact of [state.replace(/[:,.]$/, ""), ...urls.map(([, url]) => url)])
      expect(message.text).toContain(fact)
  },
)

test.each(Object.entries(VIEWS))("Slack takes the view: %s", (_, view) => {
  expect(checkView(view)).toEqual([])
})

/** Counts the bot's own words, without the request and without buttons. */
function countWords({ blocks }: Message): number {
  return rendered(blocks.filter(({ type }) => type !== "rich_text" && type !== "actions"))
    .replace(/:[a-z_]+:|·/g, "")
    .replace(/\d{4}-\d\d-\d\d \d\d:\d\d UTC/g, "8:30")
    .split(/\s+/)
    .filter(Boolean).length
}

test.each(Object.entries(BARE))("a card says it in twelve words: %s", (_, message) => {
  expect(countWords(message)).toBeLessThanOrEqual(12)
})

test.each<[how: string, most: number, JobFacts]>([
  ["a mention", 30, { thread: "1.0", asks: [ask({ ts: "1.0" })] }],
  ["a command", 40, { asks: [ask({})] }],
])("a job with one follow-up is told in few words: by %s, at most %i", (_, most, how) => {
  const rounds = [first({ asks: how.asks ?? [] }), ...(follow.rounds ?? []).slice(1)]
  const { asks: _asks, ...where } = how
  const updated: JobFacts = { ...where, ...follow, rounds, state: "ended", ending: "pull_request" }
  const told = [card(updated), result({ ...ready, ...how }), result(updated)]
  expect(told.map(countWords).reduce((all, one) => all + one)).toBeLessThanOrEqual(most)
})

test.each(["key_refused", "forbidden", "restored", "job_path"] as const)(
  "an operator without admins reads plain text, and of ADMIN_USERS only where one must resume: %s",
  (kind) => {
    const says = notices.operatorNotice({ ...trouble, admins: [], kind })
    expect(says).not.toMatch(/[*`]/)
    expect(says.includes("ADMIN_USERS")).toBe(["forbidden", "restored"].includes(kind))
  },
)

test("a backup without a known time is not dated", () => {
  const says = (since: number) => notices.adminNotice({ ...trouble, kind: "restored", since }, CLEO)
  expect(says(NOW).text).toMatch(/The backup is from/)
  expect(says(0).text).not.toMatch(/The backup is from|1970/)
})

/** Words that are internal or unidiomatic. One question, and messages to admins, may say `job`. */
const STRUCK =
  /\b(the bot|this bot|prompts?|slots?|cards?|configured|goes on|stands on|mended|anew|shall|lately|whoever|very same|by itself|back to usual|far from usual|other words|please|sorry|deployment|comes back|storage)\b/i

test.each([...ALL, ...Object.entries(VIEWS)])("struck words stay struck: %s", (_, { blocks }) => {
  const ours = blocks.filter(({ type }) => type !== "rich_text")
  expect(STRUCK.exec(rendered(ours))?.[0]).toBeUndefined()
})

describe("SAFE-3: whatever stands in a job", () => {
  const EVIL = `<!channel> <@UEVIL00001> @here *x* \`&\u202e|> ${"&".repeat(40_000)}`
  const link = `https://github.com/acme/docs/pull/214?${"x".repeat(450)}`
  const size = { of: "a", files: 99, added: 1, removed: 1, names: Array(3).fill(EVIL) }
  const review = aReview({})
  const asks = Array.from({ length: 60 }, (_, n) => ask({ id: `ask${n}` }))
  const evil = (facts: JobFacts) =>
    aJob({
      rounds: [first({ ending: "failed", asks: asks.slice(0, 9) }), aRound()],
      asks: asks.slice(0, 9),
      waiting: asks.slice(9),
      detail: EVIL,
      prLink: link,
      pull: pull({ state: "changes_requested", title: EVIL, by: EVIL, size, review }),
      again: { user: BEN, how: "run" },
      ...facts,
    })
  const over = pull({ state: "merged", title: EVIL, by: EVIL, touchedAt: 0 })
  const jobs = [
    evil({}),
    evil({ state: "active" }),
    evil({ state: "active", way: "message" }),
    ...endings.map((ending) => evil({ state: "ended", ending })),
    evil({ ...ready, prLink: link, pull: over }),
  ]
  const where = { gitHubHost: "github.com", admins: [CLEO], name: EVIL }
  const many = Array.from({ length: 60 }, (_, n) => jobs[n % jobs.length] ?? aJob({}))
  const lists = {
    ...facts,
    nameOf: () => EVIL,
    overview: {
      ...overview,
      jobs: many.map((job) => ({ job, words: EVIL, card: CARD })),
      quotas: Array.from({ length: 40 }, (_, n) => ({
        project: `p${n}`,
        quota: {
          used: 99,
          ceiling: 99,
          waiting: 3,
          pause: { reason: "key_refused" as const, since: NOW },
        },
      })),
    },
  }
  const request = { words: EVIL, draft: "d" }
  const long: Message[] = [
    statusMessage(lists),
    quotaMessage(lists),
    doctorMessage(Array(30).fill({ check: "redis", level: "fault", says: EVIL, next: EVIL })),
    refusals.unknownProjectMessage(EVIL, Array(150).fill("p".repeat(40)), request),
    unreadFilesMessage(Array(50).fill({ id: "F1", name: EVIL, why: "too_large" }), []),
  ]
  const said: Message[] = [
    ...long,
    ...jobs.map((job) =>
      jobCard({ job, words: EVIL, formWords: EVIL, project: EVIL, now: NOW, ...where }),
    ),
    ...jobs
      .filter(({ state }) => state === "ended")
      .map((job) => resultReply({ job, users: [ADA], gitHubHost: "github.com" })),
    ...jobs.map((job) => reviewPost({ job, users: [ADA], gitHubHost: "github.com" })),
    endPost({ job: evil({ ...ready, prLink: link, pull: over }), users: [ADA], gitHubHost: "x" }),
    reminderMessage(
      jobs.map((job) => ({ job, words: EVIL })),
      "github.com",
    ),
    questions.unclearQuestion(request),
    refusals.cannotPost(EVIL, { channel: "C1", botUser: BOT, admins: [] }, request),
    notices.adminNotice({ ...trouble, label: EVIL, host: EVIL }, CLEO),
    own.queueResumed(EVIL),
    notices.gitHubRefused("repository", { isInContainer: false, repository: EVIL }),
    refusals.troubleMessage("unanswerable", [], EVIL),
  ]

  test("Slack takes it, and nothing in it is live", () => {
    for (const message of said) {
      expect(checkMessage(message)).toEqual([])
      // chat.update responds with `msg_too_long` above 4,000 characters.
      expect(message.text.length).toBeLessThanOrEqual(4000)
      const live = JSON.stringify(message.blocks.filter(({ type }) => type !== "rich_text"))
      expect(`${message.text} ${live}`).not.toMatch(/<!channel|<@UEVIL|@here|\u202e/)
    }
    expect(checkView(homeView(lists))).toEqual([])
  })
})

test("the post of a card mentions nobody: Slack would notify them", () => {
  const asks = [ask({}), ask({ id: "ask2", user: BEN })]
  const { card: _, ...job } = aJob({ asks, thread: "1.0" })
  const where = { gitHubHost: "github.com", admins: [CLEO], name: "Ada", now: NOW }
  for (const at of [place({}), place({ paused: "key_refused" }), place({ paused: "forbidden" })])
    expect(
      JSON.stringify(jobCard({ job: { ...job, place: at }, words: WORDS, ...where })),
    ).not.toContain("<@")
})

test("FOL-11: no two endings read the same", () => {
  const lines = endings.map((ending) => rendered(card({ state: "ended", ending }).blocks))
  expect(new Set(lines).size).toBe(endings.length)
})

test("nothing names a time while nobody knows when a pause is over", () => {
  const endless = { place: 1, paused: "key_refused" } as const
  for (const message of [card({}, endless), quotaMessage(paused)])
    expect(message.text).not.toMatch(/\d\d:\d\d/)
})

test("of 150 projects the busiest come first and the rest are counted", () => {
  const quotas = Array.from({ length: 150 }, (_, n) => ({
    project: `p${n}`,
    quota: { used: 99, ceiling: 99, waiting: n === 149 ? 1000 : 3, startsAt: NOW + 1 },
  }))
  const many = { ...facts, nameOf: (project: string) => project, overview: { ...overview, quotas } }
  for (const message of [statusMessage(many), quotaMessage(many)]) {
    expect(checkMessage(message)).toEqual([])
    expect(message.text).toMatch(/p149[\s\S]*140 other projects not shown/)
  }
  const projects = quotas.map(({ project }) => ({ key: project, name: project }))
  const form = askModal({ draft: "d", project: "p149", projects })
  expect(checkView(form)).toEqual([])
  expect(JSON.stringify(form)).toContain(
    '"initial_option":{"text":{"type":"plain_text","text":"p149"',
  )
})

test("a card says what its round is, also if the repository's name has a word of the card", () => {
  const [opened, followUp] = [first({ asks: [ask({ ts: "1.2" })] }), ask({ id: "a2", user: BEN })]
  const rounds = [opened, aRound({ asks: [followUp], ending: "pull_request" })]
  const prLink = "https://github.com/acme/update-docs/pull/9"
  const { text } = card({ state: "ended", thread: "1.1", prLink, rounds })
  expect(text).toContain("acme/update-docs#9")
  expect(text).toContain(`Follow-up · asked by <@${BEN}>`)
})

test("a request that is run again long after it was asked waits a moment, too", () => {
  const job = aJob({ mayStartAt: NOW + 5000, again: { user: ADA, how: "run" } })
  const { text } = jobCard({ job, words: WORDS, gitHubHost: "", admins: [], now: NOW })
  expect(text).toContain("Starting in a moment")
})
