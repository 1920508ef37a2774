import { expect, test } from "vitest"
import { endings } from "../../src/jobs/round-record.ts"
import { adminMessage, faultNotice, troubleNotice } from "../../src/messages/admin-notices.ts"
import { jobCard } from "../../src/messages/card.ts"
import { resultReply } from "../../src/messages/closing-reply.ts"
import * as own from "../../src/messages/private-answers.ts"
import { endPost, reminderMessage, reviewPost } from "../../src/messages/pull-request-posts.ts"
import * as questions from "../../src/messages/questions.ts"
import { quotaMessage } from "../../src/messages/quota.ts"
import * as refusals from "../../src/messages/refused-requests.ts"
import { homeView, statusMessage } from "../../src/messages/status-and-home.ts"
import { doctorMessage } from "../../src/operating/doctor/finding.ts"
import type { Message } from "../../src/slack/message-types.ts"
import { checkMessage, checkView } from "../helpers/block-kit.ts"
import { aRound, type JobFacts } from "../helpers/job.ts"
import { ADA, BEN, BOT_USER, CLEO } from "../sandbox/slack/index.ts"
import { CARD, HOST, NOW } from "./texts/facts.ts"
import { aJob, aReview, ask, first, pull, ready } from "./texts/jobs.ts"
import { facts, overview, trouble } from "./texts/overview.ts"

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
const where = { ...HOST, admins: [CLEO], name: EVIL }
const many = Array.from({ length: 60 }, (_, n) => jobs[n % jobs.length] ?? aJob({}))
const pause = { reason: "key_refused" as const, since: NOW }
const quota = { used: 99, ceiling: 99, waiting: 3, pause }
const lists = {
  ...facts,
  nameOf: () => EVIL,
  overview: {
    ...overview,
    jobs: many.map((job) => ({ job, words: EVIL, card: CARD })),
    quotas: Array.from({ length: 40 }, (_, n) => ({ project: `p${n}`, quota })),
  },
}
const request = { words: EVIL, draft: "d" }
const long: Message[] = [
  statusMessage(lists),
  quotaMessage(lists),
  doctorMessage(Array(30).fill({ check: "redis", level: "fault", says: EVIL, next: EVIL })),
  refusals.unknownProjectMessage(EVIL, Array(150).fill("p".repeat(40)), request),
  own.unreadFilesMessage(Array(50).fill({ id: "F1", name: EVIL, why: "too_large" }), []),
]
const said: Message[] = [
  ...long,
  ...jobs.map((job) =>
    jobCard({ job, words: EVIL, roundWords: EVIL, project: EVIL, now: NOW, ...where }),
  ),
  ...jobs
    .filter(({ state }) => state === "ended")
    .map((job) => resultReply({ job, users: [ADA], ...HOST })),
  ...jobs.map((job) => reviewPost({ job, users: [ADA], ...HOST })),
  endPost({ job: evil({ ...ready, prLink: link, pull: over }), users: [ADA], ...HOST }),
  reminderMessage(
    jobs.map((job) => ({ job, words: EVIL })),
    "github.com",
  ),
  questions.unclearQuestion(request),
  refusals.cannotPost(EVIL, { channel: "C1", botUser: BOT_USER, admins: [] }, request),
  adminMessage(troubleNotice({ ...trouble, label: EVIL, host: EVIL }), [], CLEO),
  own.queueResumed(EVIL),
  adminMessage(faultNotice("github_repository", { repository: EVIL }), [], CLEO),
  refusals.troubleMessage("unanswerable", [], EVIL),
]

test("SAFE-3: whatever stands in a job, Slack takes the message, and nothing in it is live", () => {
  for (const message of said) {
    expect(checkMessage(message)).toEqual([])
    // chat.update responds with `msg_too_long` above 4,000 characters.
    expect(message.text.length).toBeLessThanOrEqual(4000)
    const live = JSON.stringify(message.blocks.filter(({ type }) => type !== "rich_text"))
    expect(`${message.text} ${live}`).not.toMatch(/<!channel|<@UEVIL|@here|\u202e/)
  }
  expect(checkView(homeView(lists))).toEqual([])
})
