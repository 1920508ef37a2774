import { type EndedJob, type Ending, isUpdate, NOT_CONFIGURED } from "../jobs/job.ts"
import { anAdmin, foreignLine } from "./mrkdwn.ts"
import { linkFault, pullRequestLink, safeUrl } from "./pull-request.ts"

/** How a round ended: the card shows `state`, bold first; the closing reply adds `next`. */
interface EndingWords {
  emoji?: "white_check_mark" | "warning" | "x"
  state: string
  next?: string
}

interface Circumstances {
  gitHubHost: string
  admins: readonly string[]
  /** Its name, where it is shown. */
  project?: string | undefined
}

const RUN_CHECKED = "Check for a new pull request before you run it again."

/** Says how a round ended, in words for people. */
export function endingWords(job: EndedJob, facts: Circumstances): EndingWords {
  return WORDS[job.ending](job, facts)
}

const WORDS: Record<Ending, (job: EndedJob, facts: Circumstances) => EndingWords> = {
  pull_request: (job, { gitHubHost }) => {
    const is = isUpdate(job) ? "updated" : "ready"
    const label = pullRequestLink(job, gitHubHost)
    return {
      emoji: "white_check_mark",
      ...(label
        ? { state: `*Pull request ${is}*: ${label}` }
        : {
            state: `*Pull request ${is}*, but ${linkFault(job.prLink)}.`,
            next: "Find it in your repository.",
          }),
    }
  },
  no_pull_request: () => ({
    emoji: "warning",
    state: "*Finished without a pull request.*",
    next: "There may have been nothing to change, or it was pushed straight to the main branch.",
  }),
  failed: (job) => ({
    emoji: "x",
    state: `*The agent couldn't finish${safeUrl(job.prLink) ? " the update" : ""}.*`,
    next: "It didn't say why. Run it again, or split it into smaller requests.",
  }),
  archived: (job) => ({
    emoji: "warning",
    state: "*Archived* in the documentation service before it finished.",
    next: safeUrl(job.prLink)
      ? "The pull request may be incomplete."
      : "It may still have opened a pull request. Check before you run it again.",
  }),
  lost: (job) => ({
    emoji: "warning",
    state: `*Still running after ${runTime(job)}.*`,
    next: "I've stopped checking. Look for a pull request anytime.",
  }),
  gone: (job, { project }) =>
    job.detail === NOT_CONFIGURED
      ? {
          emoji: "warning",
          state: `*Updates stopped*: ${removed(project)}.`,
          next: "The agent may still finish.",
        }
      : {
          emoji: "warning",
          state: "*Not found in the documentation service.*",
          next: `It may have been deleted. ${RUN_CHECKED}`,
        },
  unknown: () => ({
    emoji: "warning",
    state: "*Couldn't confirm that the agent started.*",
    next: RUN_CHECKED,
  }),
  refused: (job, { admins, project }) =>
    job.detail === NOT_CONFIGURED
      ? {
          emoji: "x",
          state: `*Not started*: ${removed(project)}.`,
          next: "Send the request to another project.",
        }
      : {
          emoji: "x",
          state: job.detail
            ? `*Declined by the documentation service*: ${foreignLine(job.detail, 300)}`
            : "*Declined by the documentation service.*",
          next: `Nothing was started. Rephrase it, or ask ${anAdmin(admins)} to run \`/docs-agent doctor\`.`,
        },
  cancelled: () => ({ state: "*Cancelled* before it started." }),
  no_card: () => ({ emoji: "x", state: "*Not started*: posting failed." }),
  not_allowed: () => ({ emoji: "x", state: "*Not started*: no access." }),
}

function removed(project: string | undefined): string {
  return project ? `project *${foreignLine(project, 40)}* was removed` : "its project was removed"
}

function runTime({ startedAt, endedAt }: EndedJob): string {
  return startedAt && endedAt ? durationWords(endedAt - startedAt) : "a long time"
}

const UNITS: readonly [ms: number, one: string, many: string][] = [
  [86_400_000, "a day", "days"],
  [3_600_000, "an hour", "hours"],
  [60_000, "a minute", "minutes"],
]

/** Says how long something took, as people do: "a day", "3 hours". @param ms at least 0 */
function durationWords(ms: number): string {
  for (const [unit, one, many] of UNITS) {
    const count = Math.round(ms / unit)
    if (count >= 1) return count === 1 ? one : `${count} ${many}`
  }
  return "less than a minute"
}
