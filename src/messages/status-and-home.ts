import { isOver, isSeen, type Job, type PullState, type QueuePlace } from "../jobs/job.ts"
import type { Ending } from "../jobs/round-record.ts"
import { allAsks, currentRound, endingOf, isForgotten, isUpdate } from "../jobs/rounds.ts"
import { fitting, shorten } from "../lib/truncate.ts"
import type { Home, Message } from "../slack/message-types.ts"
import { message, packed, section } from "./blocks.ts"
import { askButton, HELP } from "./help.ts"
import { foreignLine, link, upperFirst } from "./mrkdwn.ts"
import { lastActivity, pullRequestLink, safeUrl } from "./pull-request-words.ts"
import { placeWords } from "./queue-words.ts"
import { hourLines, type QuotaFacts, type QuotaOverview } from "./quota.ts"

/** One request of a person, with its place in the queue and the address of its card. */
export interface Listed {
  job: Job
  words: string
  place?: QueuePlace
  card?: string
}

/** A person's requests and the queues, as `status`, `quota` and the *Home* tab show them. */
export interface Overview extends QuotaOverview {
  /** IANA name of the reader's time zone. */
  zone: string
  jobs: readonly Listed[]
}

export interface OverviewFacts extends QuotaFacts {
  overview: Overview
  gitHubHost: string
  /** Returns whether an open pull request has been inactive for so long that a reminder is due. */
  isStale: (job: Job, reader: Pick<Overview, "now" | "zone">) => boolean
}

const MAX_JOBS_PER_GROUP = 10
/** Maximum length of a group in code points: Slack refuses messages of more than 13,200. */
const MAX_GROUP = 3300

export function statusMessage(facts: OverviewFacts): Message {
  const { overview, isStale } = facts
  const lines = GROUPS.flatMap((name) => {
    const group = overview.jobs.filter(({ job }) => groupOf(job, isStale(job, overview)) === name)
    if (group.length === 0) return []
    const listed = group.slice(0, MAX_JOBS_PER_GROUP)
    const all = listed.map((one) => `• ${listedLine(one, facts)}`)
    const shown = fitting(all, MAX_GROUP)
    const more = group.length - shown.length
    return packed([`*${name}*`, ...shown, ...(more > 0 ? [`${more} more`] : [])])
  })
  return message({
    lines: lines.length > 0 ? lines : ["*No recent requests.*"],
    small: hourLines(facts).join("\n"),
    buttons: [askButton()],
  })
}

export function homeView(facts: OverviewFacts): Home {
  const [lead = "", ...how] = HELP
  const blocks = [section(lead), ...statusMessage(facts).blocks, section(how.join("\n"))]
  return { type: "home", blocks }
}

/** Writes a request as a line: by its pull request's title, or by its words while they are kept. */
function listedLine(
  { job, words, place, card }: Listed,
  { overview, isStale, gitHubHost }: OverviewFacts,
): string {
  const forgotten = isForgotten(allAsks(job)) ? "(request deleted)" : ""
  const said = shorten((job.pull?.title || words || forgotten).replace(/\s+/g, " "), 80)
  const parts = [
    `*${stateWords(job)}*`,
    card ? link(card, said || "View request") : foreignLine(said, 80),
    pullRequestLink(job, gitHubHost),
    ...(job.state === "queued" ? [placeWords(place, overview.now), `ID \`${job.id}\``] : []),
    isStale(job, overview) ? lastActivity(job.pull) : "",
  ]
  return parts.filter(Boolean).join(" · ")
}

function stateWords(job: Job): string {
  if (job.state === "active" && isUpdate(job) && job.prLink) return "Updating"
  const ending = endingOf(job)
  if (!ending) return nameOfState(job.state)
  const { pull } = job
  if (isOver(pull?.state)) return nameOfState(pull.state)
  if (ending !== "pull_request") return nameOfState(ending)
  if (pull?.state === "changes_requested" && !awaitsChanges(job)) return "Review addressed"
  const state = isSeen(pull) ? pull.state : "ready"
  const isAsRound = state === "ready" || state === "open"
  return isAsRound && isUpdate(job) ? "Updated" : nameOfState(state)
}

/** State or ending of a request as it is listed; `ready` if GitHub was not asked for the state yet. */
type ListedState = Job["state"] | Ending | PullState | "ready"

/** Writes a state by its name in `NAMES`, or as it is stored: "Changes requested". */
function nameOfState(stored: ListedState): string {
  const words = stored.replaceAll("_", " ")
  return NAMES[stored] ?? upperFirst(words)
}

const NAMES: Partial<Record<ListedState, string>> = {
  approved: "Approved, not merged yet",
  creating: "Starting",
  active: "Working",
  open: "Ready for review",
  lost: "No longer checked",
  gone: "Not found",
  unknown: "Unconfirmed",
  refused: "Rejected",
  no_card: "Couldn't post",
  not_allowed: "Not allowed",
  unreadable: "Couldn't be read",
}

/** Groups of the list of requests, in the order in which people see them. */
const GROUPS = ["Needs you", "Waiting for review", "Working", "Ready", "Done"] as const
type Group = (typeof GROUPS)[number]

/**
 * Picks a request's group. *Ready* has pull requests of which the bot knows no state: GitHub has not
 * been asked since the latest round, or there is no `GITHUB_TOKEN`. Pure.
 */
export function groupOf(job: Job, isStale: boolean): Group {
  const ending = endingOf(job)
  if (!ending) return "Working"
  const { pull, prLink } = job
  if (isOver(pull?.state)) return "Done"
  const isOpened = ending === "pull_request" || safeUrl(prLink) !== undefined
  if (!isOpened) return "Done"
  if (!isSeen(pull)) return "Ready"
  return isStale || awaitsChanges(job) ? "Needs you" : "Waiting for review"
}

/**
 * Returns whether reviewers still wait for changes. GitHub goes on saying that changes are requested
 * until a reviewer looks again, so a later round counts as the answer to what was announced before.
 */
export function awaitsChanges(job: Pick<Job, "pull" | "rounds">): boolean {
  const { state, review } = job.pull ?? {}
  if (state !== "changes_requested") return false
  return !review || (review.state !== "addressed" && review.round === currentRound(job).id)
}
