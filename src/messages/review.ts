import type { Job } from "../jobs/job.ts"
import type { Message } from "../ports/message.ts"
import { actions, plain, section } from "./blocks.ts"
import { jobButton, viewButton } from "./job-buttons.ts"
import { foreignLine, mentions } from "./mrkdwn.ts"
import { pullRequestLink, pullTitle, withAddress } from "./pull-request.ts"

/** Tells that reviewers requested changes, once a round, with the way to have them made. */
export function reviewPost({
  job,
  users,
  gitHubHost,
}: {
  job: Job
  /** Users to mention. */
  users: readonly string[]
  gitHubHost: string
}): Message {
  const { review } = job.pull ?? {}
  const by = review?.by ? ` by ${foreignLine(review.by, 40)}` : ""
  const about = [pullRequestLink(job, gitHubHost), pullTitle(job)].filter(Boolean).join(" ")
  const text = [mentions(users), `*Changes requested*${by}${about ? `: ${about}` : ""}`]
    .filter(Boolean)
    .join(" ")
  const address = { ...jobButton(job, "address_review"), style: "primary" as const }
  return {
    text: withAddress(plain(text), job.prLink),
    blocks: [section(text), ...actions([address, ...viewButton(job)])],
  }
}
