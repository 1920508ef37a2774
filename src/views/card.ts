import type { KnownBlock, StaticSelect } from "@slack/types"
import { type Ending, isEnded, isReplied, type Job, type QueuePlace } from "../jobs/job.ts"
import type { Prompt } from "../jobs/ports.ts"
import type { WaitReason } from "../jobs/queue-ports.ts"
import type { Message } from "../ports/message.ts"
import { actions, context, plain, section } from "./blocks.ts"
import { answeredLine, endingWords } from "./endings.ts"
import { cardButtons } from "./job-buttons.ts"
import { pickable, projectOption } from "./modal.ts"
import { date, foreignLine, link, mention } from "./mrkdwn.ts"
import { pauseLine, waitsFor } from "./pause.ts"
import { addressLine, GITHUB, pullRequestLabel, pullRequestSoFar, safeUrl } from "./pull-request.ts"
import { expectedStart, positionText } from "./queue-place.ts"
import { quote } from "./quote.ts"

/** The card keeps a channel readable: the whole prompt went to the service. Code points. */
const WORDS_ON_CARD = 600
/** Right below the message that asked, one line of a phone says which one it is about. */
const WORDS_BELOW_MESSAGE = 40

/** The one public message of a job. */
export function jobCard(
  job: Job,
  prompt: Prompt | undefined,
  place?: QueuePlace,
  projects: readonly string[] = [],
  gitHubHost = GITHUB,
): Message {
  const state = stateLine(job, place, gitHubHost)
  const words = prompt?.words ?? ""
  const below = footer(job, projects, gitHubHost)
  const inWords = [followUpPart(job, gitHubHost), state, idPart(job)]
    .filter(Boolean)
    .map(plain)
    .join(" · ")
  return {
    text: `${mention(job.user)} asked the docs agent${words ? `: ${foreignLine(words, 300)}` : "."}\n${inWords}${addressLine(job)}`,
    blocks: [
      section(isAnswered(job) ? answeredLine(job) : state),
      ...request(job, words),
      ...(below ? [context(below)] : []),
      ...actions([...picker(job, projects), ...buttons(job)]),
    ],
  }
}

/** The closing reply right below has a button with the link. */
function buttons(job: Job): ReturnType<typeof cardButtons> {
  return isAnswered(job) && job.ending === "pull_request" ? [] : cardButtons(job)
}

/** Is the closing reply right below the card? */
function isAnswered(job: Job): job is Job & { ending: Ending } {
  return isEnded(job) && job.thread !== undefined && isReplied(job)
}

/** What was asked for. Between the message that asked and the closing reply it is not said again. */
function request(job: Job, words: string): KnownBlock[] {
  if (!words) return []
  if (!isBelowItsMessage(job)) return [quote(words, WORDS_ON_CARD)]
  return isAnswered(job) ? [] : [quote(words.replace(/\s+/g, " "), WORDS_BELOW_MESSAGE)]
}

/** Is the card right below the message that asked, which already says who and what? */
function isBelowItsMessage({ asked, isRetry }: Job): boolean {
  return asked !== undefined && !isRetry
}

/** While a job waits, it can still go to another project. */
function picker(job: Job, projects: readonly string[]): StaticSelect[] {
  if (projects.length < 2 || job.state !== "queued" || !projects.includes(job.project)) return []
  const option = (project: string) => {
    const { text, value } = projectOption(project)
    return { text, value: `${job.id} ${value}` }
  }
  return [
    {
      type: "static_select",
      action_id: "move_project",
      options: pickable(projects, job.project).map(option),
      initial_option: option(job.project),
    },
  ]
}

/** What it follows, who asked, about which project, and the id where a person may need it to type `cancel <id>`. */
function footer(job: Job, projects: readonly string[], gitHubHost: string): string {
  const parts = [
    followUpPart(job, gitHubHost),
    isBelowItsMessage(job) ? "" : `From ${mention(job.user)}`,
    projects.length > 1 ? `Project *${foreignLine(job.project, 40)}*` : "",
    idPart(job),
  ]
  const note = job.note ? foreignLine(job.note, 300) : ""
  return [parts.filter(Boolean).join(" · "), note].filter(Boolean).join("\n")
}

function followUpPart({ follows, first, prLink }: Job, gitHubHost: string): string {
  if (follows === undefined && first === undefined) return ""
  const url = follows === undefined ? undefined : safeUrl(prLink)
  return url ? `Follow-up to ${link(url, pullRequestLabel(url, gitHubHost))}` : "Follow-up"
}

function idPart(job: Job): string {
  return job.state === "queued" ? `ID \`${job.id}\`` : ""
}

function stateLine(job: Job, place: QueuePlace | undefined, gitHubHost: string): string {
  if (isEnded(job)) return endingWords(job, gitHubHost).state
  // A follow-up says below which pull request it is about.
  if (job.state === "active")
    return `${activeLine(job)}${job.follows === undefined ? pullRequestSoFar(job, gitHubHost) : ""}`
  if (job.state === "creating") return ":arrow_forward: *Starting*"
  if (place?.paused) {
    const reason = place.paused as WaitReason
    return `${pauseLine(reason, place.triedAt)}${waitsFor(reason)}\n${positionText(place)}.`
  }
  if (!place || place.soon) return ":hourglass_flowing_sand: *Starting in a moment*"
  const start = expectedStart(place)
  return `:hourglass_flowing_sand: *${positionText(place)}*${start ? ` · expected ${start} (may change)` : ""}`
}

/** Slack itself keeps "3 minutes ago" true, so the card is not edited for it. */
function activeLine({ startedAt, first }: Job): string {
  const since = startedAt === undefined ? "" : ` · started ${date(startedAt, "{ago}")}`
  // Whoever follows up was mentioned in this thread before.
  return `:gear: *Working on it*${since}${first === undefined ? "\nI'll mention you here when it's ready." : ""}`
}
