import type { Job, Preview } from "../../../src/jobs/job.ts"
import type { Message } from "../../../src/ports/message.ts"
import { gitHubRefused } from "../../../src/views/admin-notice.ts"
import { closingReply } from "../../../src/views/endings.ts"
import { nothingToPreview, previewAbsent } from "../../../src/views/preview.ts"
import { pullReminder } from "../../../src/views/pull-life.ts"
import { aJob } from "../../helpers/job.ts"
import { jobThread, wordsOf } from "../../helpers/job-thread.ts"
import { rendered } from "../../helpers/rendered.ts"

const AT = Date.UTC(2026, 10, 20, 20, 30)
const PULL = "https://github.com/acme/docs/pull/214"
const REPO = { host: "github.com", owner: "acme", repo: "docs", number: 214 }

const job = (facts: Partial<Job>) =>
  ({
    ...aJob({ state: "ended", user: "U0ADA00001", card: "1.1", prLink: PULL, ...facts }),
    ending: "pull_request",
  }) as const
const preview = (facts: Partial<Preview>) =>
  closingReply(job({ branch: "docs", preview: { state: "asked", by: "U1", at: AT, ...facts } }))

const MERGED = { branch: "docs", pullState: "merged", pullBy: "ben" } as const

/** The whole of a thread, with what it takes to read it. */
function thread(asked: "mention" | "slash"): string {
  const said = jobThread(asked)
  const words = said.map(wordsOf).reduce((all, of) => all + of)
  const texts = said.map(({ blocks }) => rendered(blocks)).join("\n\n")
  return `${texts}\n\n(${said.length} messages, ${words} words)`
}

export const THREADS: Readonly<Record<string, string>> = {
  "asked by mention": thread("mention"),
  "asked by command": thread("slash"),
}

/** What becomes of a pull request, on the closing reply. */
export const PULL_REQUESTS: Readonly<Record<string, Message>> = {
  draft: closingReply(job({ pullState: "draft" })),
  approved: closingReply(job({ pullState: "approved" })),
  "changes requested": closingReply(job({ pullState: "changes_requested" })),
  merged: closingReply(job({ pullState: "merged", pullBy: "ben" })),
  closed: closingReply(job({ pullState: "closed" })),
  "of a follow-up": closingReply(job({ first: "a", follows: "agent-1", hadPull: true })),
  "no web address": closingReply(job({ prLink: "file:///etc" })),
  reminder: pullReminder(job({}), "github.com"),
  "reminder, approved": pullReminder(job({ pullState: "approved" }), "github.com"),
  "reminder, changes requested": pullReminder(
    job({ pullState: "changes_requested" }),
    "github.com",
  ),
  "can be previewed": closingReply(job({ branch: "docs" })),
  "preview in line": preview({ isInLine: true }),
  "preview on its way": preview({ state: "building" }),
  "preview ready": preview({
    state: "ready",
    url: "https://preview.example/1",
    files: { added: 1, modified: 2, removed: 0 },
  }),
  "preview failed": preview({ state: "failed", summary: "Broken link in /quickstart" }),
  "preview in doubt": preview({ state: "unknown" }),
  "preview in doubt, merged": closingReply(
    job({ ...MERGED, preview: { state: "unknown", by: "U1", at: AT } }),
  ),
  "merged, previewed before": closingReply(
    job({
      ...MERGED,
      preview: { state: "ready", by: "U1", at: AT, url: "https://preview.example/1" },
    }),
  ),
  "preview asked for too late": nothingToPreview("merged"),
  "no previews": previewAbsent(),
  "to admins: GitHub's token": gitHubRefused("token", REPO),
  "to admins: a repository": gitHubRefused("repository", REPO),
}
