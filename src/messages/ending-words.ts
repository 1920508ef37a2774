import type { Job } from "../jobs/job.ts"
import type { Ending } from "../jobs/round-record.ts"
import { currentRound, isUpdate } from "../jobs/rounds.ts"
import { date, foreignLine } from "./mrkdwn.ts"
import { pullRequestLink, readyWords, safeUrl } from "./pull-request-words.ts"

/** Words for an ending. The card shows `state`; the closing reply adds `next`. */
interface EndingWords {
  emoji?: "white_check_mark" | "warning" | "x"
  state: string
  next?: string | undefined
  /** True if `state` tells an update from a first round. */
  saysRound?: boolean
}

const warning = (state: string, next: string): EndingWords => ({ emoji: "warning", state, next })
const failure = (state: string, next?: string): EndingWords => ({ emoji: "x", state, next })

const CHECK = "Before running this again, check for a new pull request."
const CHECK_PULL = "Before running this again, check the pull request for changes."

export function endingWords(job: Job, ending: Ending, gitHubHost: string): EndingWords {
  const { startedAt = job.at, detail } = currentRound(job)
  const hasPull = safeUrl(job.prLink) !== undefined
  const check = hasPull ? CHECK_PULL : CHECK
  const about = hasPull ? `: ${pullRequestLink(job, gitHubHost)}` : ""
  const texts: Record<Ending, EndingWords> = {
    pull_request: readyWords(job, gitHubHost),
    no_pull_request: warning(
      "*Finished without a pull request*",
      "There may have been nothing to change, or the change may have gone straight to the main branch.",
    ),
    failed: {
      emoji: "x",
      state: `*The agent couldn't finish${isUpdate(job) ? " the update" : ""}*${about}`,
      next: "It didn't say why. Run the request again, or split it into smaller ones.",
      saysRound: true,
    },
    archived: warning("*Archived* in the documentation service before it finished", check),
    lost: warning(
      `*Still running when last checked* · started ${date(startedAt, "{ago}")}`,
      "I've stopped checking. To check again, press *Look for a pull request*.",
    ),
    gone: warning("*Not found in the documentation service*", `It may have been deleted. ${check}`),
    unknown: warning(
      `*Couldn't confirm that the agent ${isUpdate(job) ? "got the follow-up" : "started"}*`,
      isUpdate(job) ? CHECK_PULL : CHECK,
    ),
    refused: failure(
      `*Rejected by the documentation service*${reasonOf(detail)}`,
      "Nothing started. Edit your request and run it again. If that is rejected too, tell an admin.",
    ),
    cancelled: { state: "*Cancelled* before it started" },
    no_card: failure("*Not started*: Docs Agent couldn't post here"),
    not_allowed: failure("*Not started*: this request isn't allowed here"),
    unreadable: failure("*Not started*: this request couldn't be prepared"),
  }
  return texts[ending]
}

/** Returns the card's first line about an ending. */
export function endingLine({ emoji, state }: EndingWords): string {
  return `${emoji ? `:${emoji}: ` : ""}${state}`
}

/** Writes why the service rejected a request: in its own words, or by the status of `outcomeOf`. */
function reasonOf(detail: string | undefined): string {
  const [, status] = /^HTTP (\d+)$/.exec(detail ?? "") ?? []
  if (status) return ` (${status})`
  return detail ? `: ${foreignLine(detail, 300)}` : ""
}
