import type { Button } from "@slack/types"
import { type Ending, isEnded, isOver, type Job } from "../jobs/job.ts"
import { type ButtonSpec, button, linkButton } from "./blocks.ts"
import { safeUrl } from "./pull-request.ts"

/**
 * The labels of a job's buttons, with a question for those that spend a request. Cancelling needs
 * no question, because people can run the request again.
 */
const BUTTONS = {
  cancel: { label: "Cancel" },
  start_separately: { label: "Start separately" },
  mute: { label: "Mute" },
  run_again: {
    label: "Run again",
    confirm: {
      title: "Run this again?",
      text: "This counts toward the hourly limit again.",
      yes: "Run again",
      no: "Don't run",
    },
  },
  edit_and_run: { label: "Edit and run again" },
  look_again: { label: "Look for a pull request" },
  address_review: { label: "Address the review" },
} satisfies Record<string, Pick<ButtonSpec, "label" | "confirm">>
type JobAction = keyof typeof BUTTONS

const TWICE = "If the first one did start, you'll get two pull requests."

/** Makes a job's button. Its value is the job's id, or `job ask` if it concerns only one request of the job. */
export function jobButton(
  job: Pick<Job, "id" | "ending">,
  action: JobAction,
  { ask, spoken }: { ask?: string; spoken?: string } = {},
): Button {
  const { label, confirm }: Pick<ButtonSpec, "label" | "confirm"> = BUTTONS[action]
  const risk = job.ending === "unknown" ? { text: TWICE } : {}
  return button({
    action,
    label,
    value: ask === undefined ? job.id : `${job.id} ${ask}`,
    ...(spoken ? { spoken } : {}),
    ...(confirm ? { confirm: { ...confirm, ...risk } } : {}),
  })
}

/** Returns the buttons for a job in its present state. */
export function cardButtons(job: Job): Button[] {
  if (job.state === "queued") return [jobButton(job, "cancel")]
  if (job.state === "active") return [...viewButton(job), jobButton(job, "mute")]
  return endingButtons(job)
}

/** Returns the buttons for an ended job; none if its pull request is over. */
export function endingButtons(job: Job): Button[] {
  if (!isEnded(job) || isOver(job.pull?.state)) return []
  const left = AFTER[job.ending].filter((action) => action === "look_again" || !job.isForgotten)
  return [...viewButton(job), ...left.map((action) => jobButton(job, action))]
}

const AFTER: Record<Ending, readonly JobAction[]> = {
  pull_request: [],
  no_card: [],
  not_allowed: [],
  // The service may report the link later, and asking again costs nothing.
  no_pull_request: ["look_again", "run_again", "edit_and_run"],
  lost: ["look_again"],
  gone: ["look_again", "run_again"],
  unknown: ["run_again"],
  failed: ["run_again", "edit_and_run"],
  archived: ["run_again", "edit_and_run"],
  refused: ["edit_and_run", "run_again"],
  cancelled: ["run_again", "edit_and_run"],
}

export function viewButton({ prLink }: Pick<Job, "prLink">): Button[] {
  const url = safeUrl(prLink)
  return url ? [linkButton("view_pull_request", "View pull request", url)] : []
}
