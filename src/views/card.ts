import type { Button, StaticSelect } from "@slack/types"
import { type Ending, isEnded, type Job, type Prompt, type QueuePlace } from "../jobs/job.ts"
import type { PauseReason } from "../jobs/ports.ts"
import type { Message } from "../slack/message.ts"
import { actions, button, context, linkButton, quote, section } from "./blocks.ts"
import { endingLine, plain } from "./endings.ts"
import { projectOption } from "./modal.ts"
import { date, foreignLine, link, mention, truncate } from "./mrkdwn.ts"
import { pullRequestLabel, safeUrl } from "./pull-request.ts"

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
  const words = truncate(prompt?.words ?? "", WORDS_ON_CARD)
  const about = projects.length > 1 ? ` about *${foreignLine(job.project, 40)}*` : ""
  return {
    text: `${mention(job.user)} asked the docs agent: ${foreignLine(words, 300)}\n${plain(state)}`,
    blocks: [
      section(`${mention(job.user)} asked the docs agent${about}`),
      ...(words ? [quote(words)] : []),
      context(job.note ? `${state}\n${foreignLine(job.note, 300)}` : state),
      ...actions([...picker(job, projects), ...buttons(job)]),
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
      options: projects.slice(0, 100).map(option),
      initial_option: option(job.project),
    },
  ]
}

/** Job ids are shown where a person may need one to type `cancel <id>`. */
function stateLine(job: Job, place: QueuePlace | undefined): string {
  if (isEnded(job)) return endingLine(job)
  if (job.state === "active") return activeLine(job)
  if (job.state === "creating") return ":arrow_forward: Starting"
  if (place?.paused) return `${PAUSED[place.paused as PauseReason]}  ·  \`${job.id}\``
  if (!place || place.soon)
    return `:hourglass_flowing_sand: Queued, starts in a moment  ·  \`${job.id}\``
  return `:hourglass_flowing_sand: Number ${place.place} in the queue, starts about ${date(place.startsAt)}; that may move when others ask  ·  \`${job.id}\``
}

function activeLine(job: Job): string {
  const url = safeUrl(job.prLink)
  const soFar = url ? ` Pull request so far: ${link(url, pullRequestLabel(url))}` : ""
  return `:gear: The docs agent is working.${soFar}`
}

export const PAUSED: Record<PauseReason, string> = {
  rate_limited:
    ":hourglass_flowing_sand: Waiting: the documentation service has no jobs left this hour, as others spend the same quota. Goes on by itself.",
  outage:
    ":hourglass_flowing_sand: Waiting: the documentation service does not answer. Goes on by itself.",
  key_refused:
    ":hourglass_flowing_sand: Waiting: the documentation service refuses the bot's key. The admins know; nothing is lost.",
  forbidden:
    ":hourglass_flowing_sand: Waiting: the bot's key is not allowed to start jobs. The admins know; nothing is lost.",
}

function buttons(job: Job): Button[] {
  const url = safeUrl(job.prLink)
  const view = url ? [linkButton("view_pull_request", "View pull request", url)] : []
  if (job.state === "queued") return [cancelButton(job)]
  if (job.state === "creating") return []
  if (job.state === "active") return [...view, checkButton(job, "check_now"), stopButton(job)]
  return [...view, ...(job.ending ? again(job, job.ending) : [])]
}

/** What can still be done about an ended job. */
export function again(job: Job, ending: Ending): Button[] {
  if (ending === "unknown") return [runAgainButton(job)]
  if (ending === "lost" || ending === "unfollowed") return [checkButton(job, "check_again")]
  if (ending === "pull_request" || ending === "no_card") return []
  return [tryAgainButton(job)]
}

function cancelButton(job: Job): Button {
  const confirm = {
    title: "Cancel this request?",
    text: "It has not started. It loses its place in the queue; no job is spent.",
    yes: "Cancel it",
    no: "Keep it",
  }
  return button({ action: "cancel", label: "Cancel", value: job.id, confirm })
}

function stopButton(job: Job): Button {
  const confirm = {
    title: "Stop following?",
    text: "The documentation service cannot cancel a job: it goes on there. Only this card stops telling.",
    yes: "Stop following",
    no: "Go on",
  }
  return button({ action: "stop_following", label: "Stop following", value: job.id, confirm })
}

function checkButton(job: Job, action: "check_now" | "check_again"): Button {
  const label = action === "check_now" ? "Check now" : "Check again"
  return button({ action, label, value: job.id })
}

function tryAgainButton(job: Job): Button {
  const confirm = {
    title: "Try again?",
    text: "This spends one more job of the hour.",
    yes: "Try again",
    no: "Leave it",
  }
  return button({ action: "try_again", label: "Try again", value: job.id, confirm })
}

function runAgainButton(job: Job): Button {
  const confirm = {
    title: "Run it again?",
    text: "The first one may have started: then there will be two pull requests.",
    yes: "Run again",
    no: "Leave it",
  }
  return button({ action: "run_again", label: "Run again", value: job.id, confirm })
}
