import type { Button } from "@slack/types"
import { isOver, type Job } from "../jobs/job.ts"
import type { Ending } from "../jobs/round-record.ts"
import { currentAsks, currentRound, endingOf, isForgotten, isUpdate } from "../jobs/rounds.ts"
import { button, linkButton } from "./blocks.ts"
import { safeUrl } from "./pull-request-words.ts"

const LABELS = {
  cancel: "Cancel",
  start_separately: "Start separately",
  mute: "Mute",
  run_again: "Run again",
  edit_and_run: "Edit and run again",
  look_again: "Look for a pull request",
  address_review: "Address the review",
}
type JobAction = keyof typeof LABELS

/** Makes a job's button; its value is the job's id, or `job part` for one request or round of it. */
function jobButton(
  job: Job,
  action: JobAction,
  { part, spoken }: { part?: string; spoken?: string } = {},
): Button {
  return button({
    action,
    label: LABELS[action],
    value: part === undefined ? job.id : `${job.id} ${part}`,
    spoken,
    confirm: action === "run_again" && endingOf(job) === "unknown" ? mayBeTwice(job) : undefined,
  })
}

function mayBeTwice(job: Job) {
  const text = isUpdate(job)
    ? "If the agent did get it the first time, it may make the change twice."
    : "If the first attempt did start, you may get two pull requests."
  return { title: "Run this again?", text, yes: "Run again", no: "Don't run" }
}

export function cardButtons(job: Job): Button[] {
  // Names the last request that the card shows, because others may join before somebody presses it.
  const part = `${currentRound(job).id} ${currentAsks(job).at(-1)?.id}`
  if (job.state === "queued") return [jobButton(job, "cancel", { part })]
  if (job.state === "active") return [...viewButton(job), jobButton(job, "mute")]
  return endingButtons(job)
}

/** Returns the buttons of one waiting request, the `n`th of the job. */
export function followUpButtons(job: Job, ask: string, n: number) {
  const cancel = jobButton(job, "cancel", { part: ask, spoken: `Cancel follow-up ${n}` })
  const spoken = `Start follow-up ${n} separately`
  return [cancel, jobButton(job, "start_separately", { part: ask, spoken })] as const
}

export function reviewButtons(job: Job): Button[] {
  return [{ ...jobButton(job, "address_review"), style: "primary" }, ...viewButton(job)]
}

function endingButtons(job: Job): Button[] {
  const ending = endingOf(job)
  if (!ending || isOver(job.pull?.state)) return []
  const areForgotten = isForgotten(currentAsks(job))
  const left = AFTER[ending].filter((action) => action === "look_again" || !areForgotten)
  const part = currentRound(job).id
  return [...viewButton(job), ...left.map((action) => jobButton(job, action, { part }))]
}

/** Returns the buttons of a closing reply, where a reader wants to see what was changed. */
export function replyButtons(job: Job): Button[] {
  const buttons = endingButtons(job)
  const url = safeUrl(job.prLink && `${job.prLink.replace(/\/+$/, "")}/files`)
  const isShown = job.pull !== undefined && endingOf(job) === "pull_request" && url !== undefined
  return buttons.length > 0 && isShown
    ? [linkButton("review_changes", "Review", url), ...buttons]
    : buttons
}

const AFTER: Record<Ending, readonly JobAction[]> = {
  pull_request: [],
  no_card: [],
  not_allowed: [],
  unreadable: [],
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

function viewButton({ prLink }: Pick<Job, "prLink">): Button[] {
  const url = safeUrl(prLink)
  return url ? [linkButton("view_pull_request", "View pull request", url)] : []
}
