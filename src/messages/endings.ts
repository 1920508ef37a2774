import { type EndedJob, isUpdate } from "../jobs/job.ts"
import { date, foreignLine } from "./mrkdwn.ts"
import { pullRequestLink, safeUrl } from "./pull-request.ts"

/** The text about an ended round. The card shows `state`, which begins in bold; the closing reply adds `next`. */
interface EndingWords {
  emoji?: "white_check_mark" | "warning" | "x"
  state: string
  next?: string
}

const CHECK = "Check for a new pull request before you run it again."

/** Says how a round ended. */
export function endingWords(job: EndedJob, facts: { gitHubHost: string }): EndingWords {
  const hasPull = safeUrl(job.prLink) !== undefined
  switch (job.ending) {
    case "pull_request":
      return pullRequest(job, facts.gitHubHost)
    case "no_pull_request":
      return {
        emoji: "warning",
        state: "*Finished without a pull request.*",
        next: "There may have been nothing to change, or it was pushed straight to the main branch.",
      }
    case "failed":
      return {
        emoji: "x",
        state: `*The agent couldn't finish${hasPull ? " the update" : ""}.*`,
        next: "It didn't say why. Run it again, or split it into smaller requests.",
      }
    case "archived":
      return {
        emoji: "warning",
        state: "*Archived* in the documentation service before it finished.",
        next: hasPull
          ? "The pull request may be incomplete."
          : "It may still have opened a pull request. Check before you run it again.",
      }
    case "lost":
      return {
        emoji: "warning",
        state: `*Still running*, started ${date(job.startedAt ?? job.at, "{ago}")}.`,
        next: "I've stopped checking. *Look for a pull request* checks once more.",
      }
    case "gone":
      return {
        emoji: "warning",
        state: "*Not found in the documentation service.*",
        next: `It may have been deleted. ${CHECK}`,
      }
    case "unknown":
      return { emoji: "warning", state: "*Couldn't confirm that the agent started.*", next: CHECK }
    case "refused": {
      const why = job.detail ? `*: ${foreignLine(job.detail, 300)}` : ".*"
      return {
        emoji: "x",
        state: `*Declined by the documentation service${why}`,
        next: "Nothing was started. Rephrase it, or ask an admin to run `/docs-agent doctor`.",
      }
    }
    case "cancelled":
      return { state: "*Cancelled* before it started." }
    case "no_card":
      return { emoji: "x", state: "*Not started*: posting failed." }
    case "not_allowed":
      return { emoji: "x", state: "*Not started*: no access." }
  }
}

function pullRequest(job: EndedJob, gitHubHost: string): EndingWords {
  const state = `*Pull request ${isUpdate(job) ? "updated" : "ready"}*`
  const link = pullRequestLink(job, gitHubHost)
  const emoji = "white_check_mark"
  if (link) return { emoji, state: `${state}: ${link}` }
  return {
    emoji,
    state: `${state}, but its link can't be shown.`,
    next: "Find it in your repository.",
  }
}
