import type { StaticSelect } from "@slack/types"
import { isEnded, type Job, type Prompt, type QueuePlace } from "../jobs/job.ts"
import type { WaitReason } from "../jobs/ports.ts"
import type { Message } from "../ports/message.ts"
import { actions, context, plain, quote, section } from "./blocks.ts"
import { endingLine } from "./endings.ts"
import { cardButtons } from "./job-buttons.ts"
import { pickable, projectOption } from "./modal.ts"
import { date, foreignLine, mention } from "./mrkdwn.ts"
import { PAUSED } from "./pause.ts"
import { pullRequestSoFar } from "./pull-request.ts"

/** The card keeps a channel readable: the whole prompt went to the service. Code points. */
const WORDS_ON_CARD = 600

/** The one public message of a job. */
export function jobCard(
  job: Job,
  prompt: Prompt | undefined,
  place?: QueuePlace,
  projects: readonly string[] = [],
): Message {
  const state = stateLine(job, place)
  const words = prompt?.words ?? ""
  const about = projects.length > 1 ? ` about *${foreignLine(job.project, 40)}*` : ""
  return {
    text: `${mention(job.user)} asked the docs agent: ${foreignLine(words, 300)}\n${plain(state)}`,
    blocks: [
      section(`${mention(job.user)} asked the docs agent${about}`),
      ...(words ? [quote(words, WORDS_ON_CARD)] : []),
      context(job.note ? `${state}\n${foreignLine(job.note, 300)}` : state),
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

/** Job ids are shown where a person may need one to type `cancel <id>`. */
function stateLine(job: Job, place: QueuePlace | undefined): string {
  if (isEnded(job)) return endingLine(job)
  if (job.state === "active") return `:gear: The docs agent is working.${pullRequestSoFar(job)}`
  if (job.state === "creating") return ":arrow_forward: Starting"
  if (place?.paused) return `${PAUSED[place.paused as WaitReason]}  ·  \`${job.id}\``
  if (!place || place.soon)
    return `:hourglass_flowing_sand: Queued, starts in a moment  ·  \`${job.id}\``
  return `:hourglass_flowing_sand: Number ${place.place} in the queue, starts about ${date(place.startsAt)}; that may move when others ask  ·  \`${job.id}\``
}
