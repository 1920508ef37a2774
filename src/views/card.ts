import type { StaticSelect } from "@slack/types"
import { isEnded, type Job, type QueuePlace } from "../jobs/job.ts"
import type { Prompt, WaitReason } from "../jobs/ports.ts"
import type { Message } from "../ports/message.ts"
import { actions, context, plain, quote, section } from "./blocks.ts"
import { endingWords } from "./endings.ts"
import { cardButtons } from "./job-buttons.ts"
import { pickable, projectOption } from "./modal.ts"
import { date, foreignLine, link, mention } from "./mrkdwn.ts"
import { pauseLine } from "./pause.ts"
import { addressLine, GITHUB, pullRequestLabel, pullRequestSoFar, safeUrl } from "./pull-request.ts"

/** The card keeps a channel readable: the whole prompt went to the service. Code points. */
const WORDS_ON_CARD = 600
/** Right below the message that asked, the card only has to say which one it is about. */
const WORDS_BELOW_MESSAGE = 120

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
  const shown = job.asked ? WORDS_BELOW_MESSAGE : WORDS_ON_CARD
  return {
    text: `${mention(job.user)} asked the docs agent: ${foreignLine(words, 300)}\n${plain(state)}${idPart(job)}${addressLine(job)}`,
    blocks: [
      section(state),
      ...(words ? [quote(words, shown)] : []),
      context(footer(job, projects, gitHubHost)),
      ...actions([...picker(job, projects), ...cardButtons(job)]),
    ],
  }
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

/** Who asked, what for, and the id where a person may need it to type `cancel <id>`. */
function footer(job: Job, projects: readonly string[], gitHubHost: string): string {
  const about = projects.length > 1 ? ` about *${foreignLine(job.project, 40)}*` : ""
  const note = job.note ? `\n${foreignLine(job.note, 300)}` : ""
  return `${followUpPart(job, gitHubHost)}Asked by ${mention(job.user)}${about}${idPart(job)}${note}`
}

function followUpPart({ follows, first, prLink }: Job, gitHubHost: string): string {
  if (follows === undefined && first === undefined) return ""
  const url = follows === undefined ? undefined : safeUrl(prLink)
  return url ? `Follow-up to ${link(url, pullRequestLabel(url, gitHubHost))} · ` : "Follow-up · "
}

function idPart(job: Job): string {
  return job.state === "queued" ? ` · \`${job.id}\`` : ""
}

function stateLine(job: Job, place: QueuePlace | undefined, gitHubHost: string): string {
  if (isEnded(job)) return endingWords(job, gitHubHost).state
  // A follow-up says below which pull request it is about.
  if (job.state === "active")
    return `${activeLine(job)}${job.follows === undefined ? pullRequestSoFar(job, gitHubHost) : ""}`
  if (job.state === "creating") return ":arrow_forward: *Starting*"
  if (place?.paused)
    return `${pauseLine(place.paused as WaitReason, place.triedAt)}\n${standing(place)}.`
  if (!place || place.soon) return ":hourglass_flowing_sand: *Starting in a moment*"
  const start = place.startsAt && ` · expected around ${date(place.startsAt)} (may change)`
  return `:hourglass_flowing_sand: *${standing(place)}*${start || ""}`
}

function standing({ place }: QueuePlace): string {
  return place === 1 ? "Next in line" : `Number ${place} in line`
}

/** Slack itself keeps "3 minutes ago" true, so the card is not edited for it. */
function activeLine({ startedAt }: Job): string {
  const since = startedAt === undefined ? "" : ` · started ${date(startedAt, "{ago}")}`
  return `:gear: *Working on it*${since}\nI'll mention you here when it's ready.`
}
