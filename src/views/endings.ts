import { type Ending, type Job, NOT_CONFIGURED } from "../jobs/job.ts"
import type { Message } from "../ports/message.ts"
import { actions, plain, section } from "./blocks.ts"
import { endingButtons } from "./job-buttons.ts"
import { foreignLine, mention } from "./mrkdwn.ts"
import { previewAddress, previewButtons, previewLine } from "./preview.ts"
import { pullLife } from "./pull-life.ts"
import {
  addressLine,
  GITHUB,
  linkFault,
  pullRequestLabel,
  pullRequestSoFar,
  safeUrl,
} from "./pull-request.ts"

type Ended = Job & { ending: Ending }

/** How a job ended: `state` is what the card shows, `next` what the closing reply adds to it. */
interface EndingWords {
  state: string
  next?: string | undefined
}

/** The last word in the thread: it mentions the requester, once. The link is its button. */
export function closingReply(job: Ended, gitHubHost = GITHUB): Message {
  const { state, next } = endingWords(job, gitHubHost)
  const line = [`${mention(job.user)} ${state}`, next].filter(Boolean).join("\n")
  const preview = previewLine(job)
  return {
    text: [
      `${plain(line)}${addressLine(job)}`,
      preview && `${plain(preview)}${previewAddress(job)}`,
    ]
      .filter(Boolean)
      .join("\n"),
    blocks: [
      section(line),
      ...(preview ? [section(preview)] : []),
      ...actions([...endingButtons(job, job.ending), ...previewButtons(job)]),
    ],
  }
}

/** The ending in words, with an emoji in front; the state is bold and stands first. */
export function endingWords(job: Ended, gitHubHost = GITHUB): EndingWords {
  return WORDS[job.ending](job, gitHubHost)
}

/** The ending on a card whose closing reply stands right below it and says which pull request it is. */
export function answeredLine(job: Ended): string {
  if (job.ending !== "pull_request" || !safeUrl(job.prLink)) return endingWords(job).state
  const { emoji, state } = pullLife(job)
  return `:${emoji}: *${state}*`
}

const GONE: EndingWords = {
  state: ":question: *This job is gone* from the documentation service.",
  next: "It may have been deleted there. Check for a pull request before trying again.",
}

const WORDS: Record<Ending, (job: Ended, gitHubHost: string) => EndingWords> = {
  pull_request: (job, gitHubHost) => {
    const url = safeUrl(job.prLink)
    if (!url)
      return {
        state: `:white_check_mark: *Pull request ready,* but ${linkFault(job.prLink)}.`,
        next: "Look for it in your repository.",
      }
    const { emoji, state, next } = pullLife(job)
    const label = foreignLine(pullRequestLabel(url, gitHubHost), 150)
    return { state: `:${emoji}: *${state}:* ${label}`, next }
  },
  no_pull_request: () => ({
    state: ":ballot_box_with_check: *Finished without a pull request.*",
    next: "There may have been nothing to change, or it was pushed straight to the main branch.",
  }),
  failed: () => ({
    state: ":x: *The agent couldn't finish.*",
    next: "No reason was given. Try again, or split it into smaller requests.",
  }),
  archived: (job, gitHubHost) => ({
    state: `:file_cabinet: *Archived* in the documentation service before it finished here.${pullRequestSoFar(job, gitHubHost)}`,
    next: safeUrl(job.prLink)
      ? "I can't tell how it ended, so the pull request may be incomplete."
      : "I can't tell how it ended. Check for a pull request before trying again.",
  }),
  lost: (job, gitHubHost) => ({
    state: `:question: *Still not finished after ${runTime(job)},* so I stopped checking.${pullRequestSoFar(job, gitHubHost)}`,
    next: "It may still finish. Check again later.",
  }),
  gone: (job) =>
    job.detail === NOT_CONFIGURED
      ? {
          state: ":question: *No longer followed:* its project isn't configured anymore.",
          next: "The agent may still finish.",
        }
      : GONE,
  unknown: () => ({
    state: ":warning: *We couldn't confirm that the agent started.*",
    next: "Check for a new pull request before running it again.",
  }),
  refused: (job) =>
    job.detail === NOT_CONFIGURED
      ? {
          state: ":no_entry: *Not started:* its project isn't configured anymore. No job was used.",
          next: "Ask again about another project.",
        }
      : {
          state: `:no_entry: *The documentation service refused the request${job.detail ? `:* ${foreignLine(job.detail, 300)}` : ".*"}`,
          next: "Nothing was started. Ask again in other words. If that doesn't help, ask an admin to run `/docs-agent doctor`.",
        },
  cancelled: () => ({
    state: ":no_entry_sign: *Cancelled* before it started. No job was used.",
  }),
  unfollowed: () => ({
    state: ":no_bell: *No longer followed here.* The agent may still finish.",
  }),
  no_card: () => ({ state: ":no_entry: *Not started.* I can't post here, so no job was used." }),
}

function runTime({ startedAt, endedAt }: Job): string {
  return startedAt && endedAt ? durationWords(endedAt - startedAt) : "a long time"
}

const UNITS: readonly [ms: number, one: string, many: string][] = [
  [86_400_000, "a day", "days"],
  [3_600_000, "an hour", "hours"],
  [60_000, "a minute", "minutes"],
]

/** How long something took, as people say it: "a day", "3 hours". @param ms at least 0 */
function durationWords(ms: number): string {
  for (const [unit, one, many] of UNITS) {
    const count = Math.round(ms / unit)
    if (count >= 1) return count === 1 ? one : `${count} ${many}`
  }
  return "less than a minute"
}
