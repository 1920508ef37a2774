import { isEnded, isOver, isUpdate, type Job } from "../jobs/job.ts"
import type { Listed, Overview } from "../jobs/overview.ts"
import { truncate } from "../text/truncate.ts"
import { foreignLine, link } from "./mrkdwn.ts"
import { pullRequestLink } from "./pull-request.ts"
import { placeWords } from "./queue.ts"

/** The facts that `status`, `quota` and the Home tab show. */
export interface OverviewFacts {
  overview: Overview
  /** Returns the name of the project with this key. */
  nameOf: (project: string) => string
  gitHubHost: string
  admins: readonly string[]
  /** Returns whether an open pull request had no activity for so long that a reminder is due. */
  isStale: (job: Job, now: number) => boolean
}

const GROUPS = ["Needs you", "In progress", "Done"] as const

/** Groups requests by what their requester has to do; leaves out empty groups. */
export function groupsOf({ overview: { jobs, now }, isStale }: OverviewFacts) {
  const grouped = jobs.map((one) => ({ one, of: groupOf(one.job, isStale(one.job, now)) }))
  return GROUPS.flatMap((name): [name: string, listed: Listed[]][] => {
    const listed = grouped.flatMap(({ one, of }) => (of === name ? one : []))
    return listed.length > 0 ? [[name, listed]] : []
  })
}

/** Picks a job's group. A pull request is in progress until the bot knows that it was merged or closed. */
function groupOf(job: Job, isStale: boolean): (typeof GROUPS)[number] {
  if (!isEnded(job)) return "In progress"
  const { pull, ending } = job
  if (ending !== "pull_request" || pull?.state === undefined || isOver(pull.state)) return "Done"
  return pull.state === "changes_requested" || isStale ? "Needs you" : "In progress"
}

/** Shows one job in one line; a waiting one with the id for `cancel`. */
export function listedLine({ job, words, place, card }: Listed, gitHubHost: string): string {
  const none = job.isForgotten ? "(request deleted)" : "(request expired)"
  const said = truncate(words.replace(/\s+/g, " "), 80) || none
  return [
    `*${stateWords(job)}*`,
    card ? link(card, said) : foreignLine(said, 80),
    pullRequestLink(job, gitHubHost),
    job.state === "queued" ? placeWords(place) : "",
    job.state === "queued" ? `\`${job.id}\`` : "",
  ]
    .filter(Boolean)
    .join(" · ")
}

/** Says the same as the card, in a word or two. */
function stateWords(job: Job): string {
  if (job.state === "active" && job.follows !== undefined && job.prLink) return "Updating"
  if (!isEnded(job)) return STATES[job.state]
  if (job.ending !== "pull_request") return STATES[job.ending]
  const state = job.pull?.state ?? "open"
  return state === "open" && isUpdate(job) ? "Updated" : STATES[state]
}

const STATES = {
  ended: "Ended",
  queued: "Queued",
  creating: "Starting",
  active: "Working",
  open: "Ready",
  draft: "Draft",
  approved: "Approved",
  changes_requested: "Changes requested",
  merged: "Merged",
  closed: "Closed",
  no_pull_request: "No pull request",
  failed: "Failed",
  archived: "Archived",
  lost: "Still running",
  gone: "Not found",
  unknown: "Unconfirmed",
  refused: "Declined",
  cancelled: "Cancelled",
  no_card: "Not started",
  not_allowed: "Not started",
} as const
