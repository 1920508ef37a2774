import {
  adminMessage,
  faultNotice,
  monthNotice,
  type Notice,
  type Trouble,
  troubleNotice,
  workerNotice,
} from "../../../src/messages/admin-notices.ts"
import { askModal } from "../../../src/messages/ask-form-view.ts"
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
import {
  ADA,
  aJob,
  aReview,
  BEN,
  CLEO,
  facts,
  listed,
  NOW,
  overview,
  paused,
  readyWith,
  trouble,
  withQuota,
} from "./facts.ts"

const toAdmin = (notice: Notice) => adminMessage(notice, [CLEO, BEN], CLEO)
const about = (facts: Partial<Trouble>) => toAdmin(troubleNotice({ ...trouble, ...facts }))

const MONTH = { project: "p1", label: "docs-site", most: 90, waiting: 2, endsAt: NOW, notice: "n" }

/** Posts that a job does not begin, and lists of jobs. */
export const POST_TEXTS: Record<string, Record<string, Message>> = {
  "Reviews and reminders": {
    "changes requested": reviewPost({
      job: aJob(readyWith({ by: "cleo", review: aReview({ state: "due" }) })),
      users: [ADA],
      gitHubHost: "github.com",
    }),
    merged: endPost({
      job: aJob(readyWith({ state: "merged", by: "cleo" })),
      users: [ADA, BEN],
      gitHubHost: "github.com",
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
