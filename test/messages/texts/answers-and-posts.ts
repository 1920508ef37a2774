import {
  adminMessage,
  faultNotice,
  monthNotice,
  type Notice,
  type Trouble,
  troubleNotice,
  workerNotice,
} from "../../../src/messages/admin-notices.ts"
import { askModal, formLate } from "../../../src/messages/ask-form-view.ts"
import { greeting, helpMessage } from "../../../src/messages/help.ts"
import * as own from "../../../src/messages/private-answers.ts"
import { endPost, reminderMessage, reviewPost } from "../../../src/messages/pull-request-posts.ts"
import * as questions from "../../../src/messages/questions.ts"
import { quotaMessage } from "../../../src/messages/quota.ts"
import * as refusedActions from "../../../src/messages/refused-actions.ts"
import * as refusals from "../../../src/messages/refused-requests.ts"
import { homeView, statusMessage } from "../../../src/messages/status-and-home.ts"
import { checkClock } from "../../../src/operating/doctor/check-redis.ts"
import { checkScopes } from "../../../src/operating/doctor/check-slack.ts"
import { doctorMessage } from "../../../src/operating/doctor/finding.ts"
import type { Home, Message, Modal } from "../../../src/slack/message-types.ts"
import { NOT_SHARED } from "../../../src/visitors/report-unavailable.ts"
import { ADA, BEN, BOT_USER, CLEO } from "../../sandbox/slack/index.ts"
import { CARD, each, HOST, NOW, PULL, WORDS } from "./facts.ts"
import { aJob, aReview, LATE_FOR, listed, readyWith } from "./jobs.ts"
import { facts, overview, paused, trouble, withQuota } from "./overview.ts"

type Late = refusedActions.NotNowAction
const WHERE = { channel: "C1", botUser: BOT_USER, admins: [] }
const UNCONFIRMED = { code: "no_answer", verdict: "unknown" } as const
const LATER = { code: "ratelimited", verdict: "later" } as const
const LONG = "long ".repeat(601)
const FULL = { outcome: "full", most: 50 } as const
const REQUEST = { words: WORDS, draft: "d" }
const ASK_CLEO = { ...WHERE, admins: [CLEO] }

type Full = Parameters<typeof refusals.fullMessage>[0]
type Code = Parameters<typeof refusals.cannotPostHere>[0]
type What = Parameters<typeof refusals.cannotPostHere>[2]
type Unread = Parameters<typeof own.unreadFilesMessage>[0][number]
const full = (facts: Full, request = REQUEST) => refusals.fullMessage(facts, [CLEO], request)
const notHere = (refused: Code, what: What) => refusals.cannotPostHere(refused, WHERE, what)
const unread = (...files: Unread[]) => own.unreadFilesMessage(files, [CLEO])

/** Answers to one person, most of them private. */
export const ANSWER_TEXTS: Record<string, Record<string, Message>> = {
  "Questions and private answers": {
    "asked before": questions.duplicateQuestion(REQUEST, CARD),
    unclear: questions.unclearQuestion({ words: "beta page", draft: "d" }),
    "which pull request": questions.pullQuestion(REQUEST, [aJob({ prLink: PULL })], "github.com"),
    cancelled: own.cancelledMessage(WORDS),
    "another command": own.unknownCommand("/docs-bot"),
    "somebody else's": refusedActions.notYours([ADA]),
    "the form came late": formLate("d"),
    ...Object.fromEntries(
      Object.keys(refusedActions.WHILE_OPEN).flatMap((action) =>
        Object.entries(LATE_FOR).map(([when, job]) => [
          `${action} while ${when}`,
          refusedActions.nothingToDo(action as Late, { job, gitHubHost: "github.com", at: CARD }),
        ]),
      ),
    ),
  },
  "Answers that are the same for everybody": each(Object.keys(own.ANSWERS), "", (what) =>
    own.say(what as keyof typeof own.ANSWERS),
  ),
  Refusals: {
    ...each(["channel", "user", "guest", "stranger", "bot", "unclear"] as const, "", (refusal) =>
      refusals.refusedAccess(refusal, { user: ADA, admins: [CLEO] }, REQUEST),
    ),
    "channel, to an admin": refusals.refusedAccess("channel", { user: CLEO, admins: [CLEO] }),
    "cannot post": refusals.cannotPost("not_in_channel", ASK_CLEO, REQUEST),
    "cannot post between people": refusals.cannotPost(
      "channel_not_found",
      { ...WHERE, channel: "D1" },
      REQUEST,
    ),
    "cannot post for another reason": refusals.cannotPost("msg_too_long", ASK_CLEO),
    "cannot share": notHere({ code: "not_in_channel", verdict: "give_up" }, NOT_SHARED),
    "cannot subscribe yet": notHere(LATER, refusals.NOT_TURNED_ON),
    "unconfirmed, shared": notHere(UNCONFIRMED, NOT_SHARED),
    "unconfirmed, turned on": notHere(UNCONFIRMED, refusals.NOT_TURNED_ON),
    ...each([refusals.BROKEN_HERE, "missing_scope"], "cannot post, ", (code) =>
      refusals.cannotPost(code, ASK_CLEO),
    ),
    "queue full": full({ ...FULL, of: "waiting" }),
    "queue full, long request": full({ ...FULL, of: "waiting" }, { ...REQUEST, words: LONG }),
    "too many follow-ups": full({ ...FULL, of: "follow_ups" }),
    "follow-ups too long": full({ ...FULL, of: "bytes", most: 185_000 }),
    "no room": full({ outcome: "no_room" }),
    "no such project": refusals.unknownProjectMessage("apy", ["api", "docs"], REQUEST),
    "files of another kind": unread({ id: "F1", name: "screen.png", why: "not_text" }),
    "files it may not read": unread(
      { id: "F1", name: "a.md", why: "no_permission" },
      { id: "F2", why: "no_room" },
    ),
  },
  Troubles: {
    disconnected: refusals.troubleMessage("disconnected", [CLEO], "token_revoked", REQUEST),
    unanswerable: refusals.troubleMessage("unanswerable", [CLEO], "invalid_blocks"),
    broken: own.quoting(refusals.troubleMessage("broken", [CLEO]), WORDS),
    "a review that GitHub does not show": refusals.troubleMessage("review_unread", [CLEO]),
  },
  "Slack's Stop button": {
    several: refusedActions.stoppedMessage(["cancelled", "cancelled", "muted"]),
    "somebody else's": refusedActions.stoppedMessage([{ owners: [ADA, BEN] }]),
    nothing: refusedActions.stoppedMessage([]),
  },
}

const toAdmin = (notice: Notice) => adminMessage(notice, [CLEO, BEN], CLEO)
const about = (facts: Partial<Trouble>) => toAdmin(troubleNotice({ ...trouble, ...facts }))

const MONTH = { project: "p1", label: "docs-site", most: 90, waiting: 2, endsAt: NOW, notice: "n" }

/** Posts that a job does not begin, and lists of jobs. */
export const POST_TEXTS: Record<string, Record<string, Message>> = {
  "Reviews and reminders": {
    "changes requested": reviewPost({
      job: aJob(readyWith({ by: "cleo", review: aReview({ state: "due" }) })),
      users: [ADA],
      ...HOST,
    }),
    merged: endPost({
      job: aJob(readyWith({ state: "merged", by: "cleo" })),
      users: [ADA, BEN],
      ...HOST,
    }),
    "reminder of one": reminderMessage([listed(readyWith({ state: "open" }))], "github.com"),
    "reminder of many": reminderMessage(
      (["approved", "changes_requested", "open"] as const)
        .map((state) => listed(readyWith({ state })))
        .concat(Array.from({ length: 9 }, () => listed(readyWith({})))),
      "github.com",
    ),
  },
  "Status, quota, help": {
    status: statusMessage(facts),
    "status of nothing": statusMessage({ ...facts, overview: { ...overview, jobs: [] } }),
    "quota used up": quotaMessage(withQuota({ startsAt: NOW })),
    "quota reserved": quotaMessage(withQuota({ used: 95, startsAt: NOW, reservedBelow: 5 })),
    "quota, paused": quotaMessage(paused),
    "quota, used up elsewhere": quotaMessage(
      withQuota({ used: 2, pause: { reason: "rate_limited", until: NOW + 60_000 } }),
    ),
    help: helpMessage(),
    greeting: greeting(),
  },
  Admins: {
    "key rejected": about({}),
    forbidden: about({ kind: "forbidden", waiting: 0 }),
    "key rejected, in a container": about({ isInContainer: true }),
    "job path": about({ kind: "job_path" }),
    "restored from a backup": about({ kind: "restored" }),
    "restored without DATA_DIR": about({ kind: "unknown_hour", until: "9:00 PM" }),
    "month nearly used": toAdmin(monthNotice({ ...MONTH, used: 86, share: 0.95 }, {})),
    "month used up": toAdmin(monthNotice({ ...MONTH, used: 90, share: 1 }, {})),
    "queue resumed": own.queueResumed(undefined),
    "requests dropped": own.requestsDropped(12),
    "no worker": toAdmin(workerNotice(3, NOW)),
    "no worker, ever": toAdmin(workerNotice(101, 0)),
    "saved until a worker runs": own.savedForLater([CLEO]),
    "saved, and nobody was told": own.savedForLater([]),
    "GitHub token": toAdmin(faultNotice("github_token", {})),
    "GitHub repository": toAdmin(faultNotice("github_repository", { repository: "acme/docs" })),
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
}

export const VIEWS: Record<string, Home | Modal> = {
  Home: homeView(facts),
  "Home of nobody": homeView({ ...facts, overview: { ...overview, jobs: [] } }),
  "Home, paused": homeView(paused),
  form: askModal({ draft: "d", project: "p1", projects: [], channel: "C1" }),
  "form about a message, several projects": askModal({
    draft: "d",
    project: "p2",
    projects: ["api", "docs"].map((name, n) => ({ name, key: `p${n + 1}` })),
    quoted: "The quickstart still says Node 18.",
    isAboutMessage: true,
    leavesOut: true,
    withThread: true,
    initial: "update it",
  }),
}
