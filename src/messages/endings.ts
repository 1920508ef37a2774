import { type EndedJob, isUpdate } from "../jobs/job.ts"
import { date, foreignLine } from "./mrkdwn.ts"
import { pullRequestLink, safeUrl } from "./pull-request.ts"

/** The text about an ended round. The card shows `state`, which begins in bold; the closing reply adds `next`. */
interface EndingWords {
  emoji?: "white_check_mark" | "warning" | "x"
  state: string
  next?: string | undefined
}

const warning = (state: string, next: string): EndingWords => ({ emoji: "warning", state, next })
const failure = (state: string, next?: string): EndingWords => ({ emoji: "x", state, next })

const CHECK = "Check for a new pull request before you run it again."

/** Says how a round ended. */
export function endingWords(job: EndedJob, facts: { gitHubHost: string }): EndingWords {
  const hasPull = safeUrl(job.prLink) !== undefined
  switch (job.ending) {
    case "pull_request": {
      const state = `*Pull request ${isUpdate(job) ? "updated" : "ready"}*`
      const link = pullRequestLink(job, facts.gitHubHost)
      const emoji = "white_check_mark"
      if (link) return { emoji, state: `${state}: ${link}` }
      const next = "Find it in your repository."
      return { emoji, state: `${state}, but its link can't be shown.`, next }
    }
    case "no_pull_request":
      return warning(
        "*Finished without a pull request.*",
        "There may have been nothing to change, or it was pushed straight to the main branch.",
      )
    case "failed":
      return failure(
        `*The agent couldn't finish${hasPull ? " the update" : ""}.*`,
        "It didn't say why. Run it again, or split it into smaller requests.",
      )
    case "archived":
      return warning(
        "*Archived* in the documentation service before it finished.",
        hasPull
          ? "The pull request may be incomplete."
          : "It may still have opened a pull request. Check before you run it again.",
      )
    case "lost":
      return warning(
        `*Still running*, started ${date(job.startedAt ?? job.at, "{ago}")}.`,
        "I've stopped checking. *Look for a pull request* checks once more.",
      )
    case "gone":
      return warning(
        "*Not found in the documentation service.*",
        `It may have been deleted. ${CHECK}`,
      )
    case "unknown":
      return warning("*Couldn't confirm that the agent started.*", CHECK)
    case "refused":
      return failure(
        `*Declined by the documentation service${job.detail ? `*: ${foreignLine(job.detail, 300)}` : ".*"}`,
        "Nothing was started. Rephrase it, or ask an admin to run `/docs-agent doctor`.",
      )
    case "cancelled":
      return { state: "*Cancelled* before it started." }
    case "no_card":
      return failure("*Not started*: posting failed.")
    case "not_allowed":
      return failure("*Not started*: no access.")
  }
}
