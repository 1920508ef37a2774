import type { Button, Overflow } from "@slack/types"
import { type Ending, type Job, NOT_CONFIGURED } from "../jobs/job.ts"
import type { JobAction } from "../jobs/job-actions.ts"
import { type ButtonSpec, button, linkButton } from "./blocks.ts"
import { projectKey } from "./project-key.ts"
import { safeUrl } from "./pull-request.ts"

/** The menu of a running job's card. The value of a choice is the action and the job's id. */
export const JOB_MENU = "job_menu"

/** What each button says, and what it asks before it acts: where a job is spent or work is lost. */
const BUTTONS: Record<JobAction, Omit<ButtonSpec, "action" | "value">> = {
  cancel: {
    label: "Cancel",
    confirm: {
      title: "Cancel this request?",
      text: "It loses its place in line. No job is used.",
      yes: "Cancel it",
      no: "Keep it",
    },
  },
  // Not asked about: the same card offers to take it back.
  stop_following: { label: "Stop following" },
  check_now: { label: "Check now" },
  check_again: { label: "Check again" },
  try_again: {
    label: "Try again",
    confirm: {
      title: "Try again?",
      text: "It uses another of this hour's jobs.",
      yes: "Try again",
      no: "Don't run",
    },
  },
  run_again: {
    label: "Run again",
    confirm: {
      title: "Run this again?",
      text: "If the first one did start, you'll get two pull requests.",
      yes: "Run again",
      no: "Don't run",
    },
  },
}

/** After "Stop following" the same button takes that back. */
const FOLLOW_AGAIN = { label: "Follow again" }

/** What can be pressed on a job's card in its present state: what is rarely wanted is in a menu. */
export function cardButtons(job: Job): (Button | Overflow)[] {
  if (job.state === "queued") return [actionButton(job, "cancel")]
  if (job.state === "creating") return []
  if (job.state === "active") return [...viewButton(job), menu(job, MENU)]
  return job.ending ? endingButtons(job, job.ending) : []
}

/** What can still be done about an ended job: on its card, and under its closing reply. */
export function endingButtons(job: Job, ending: Ending): Button[] {
  const next =
    job.detail === NOT_CONFIGURED ? [] : AFTER[ending].filter((action) => isLeft(job, action))
  return [...viewButton(job), ...next.map((action) => actionButton(job, action))]
}

/** What runs a request once more needs its words. */
function isLeft({ isForgotten }: Job, action: JobAction): boolean {
  return !isForgotten || (action !== "try_again" && action !== "run_again")
}

const AFTER: Record<Ending, readonly JobAction[]> = {
  pull_request: [],
  no_card: [],
  unknown: ["run_again"],
  lost: ["check_again"],
  unfollowed: ["check_again"],
  // A job that got a message elsewhere turns active again, and may report its link then.
  no_pull_request: ["check_again", "try_again"],
  failed: ["try_again"],
  archived: ["try_again"],
  gone: ["try_again"],
  refused: ["try_again"],
  cancelled: ["try_again"],
}

/** Beside a line about a job that waits or runs. */
export function jobAccessory(job: Job): Button | Overflow | undefined {
  if (job.state === "queued") return actionButton(job, "cancel")
  return job.state === "active" ? menu(job, MENU) : undefined
}

/** A running job cannot be cancelled: the service has no such operation. */
const MENU: readonly JobAction[] = ["check_now", "stop_following"]

function menu(job: Job, choices: readonly JobAction[]): Overflow {
  return {
    type: "overflow",
    action_id: JOB_MENU,
    options: choices.map((action) => ({
      text: { type: "plain_text", text: BUTTONS[action].label, emoji: false },
      value: `${action} ${job.id}`,
    })),
  }
}

function viewButton(job: Job): Button[] {
  const url = safeUrl(job.prLink)
  return url ? [linkButton("view_pull_request", "View pull request", url)] : []
}

function actionButton(job: Job, action: JobAction): Button {
  const words = { ...BUTTONS[action], ...(job.ending === "unfollowed" ? FOLLOW_AGAIN : {}) }
  return button({ action, value: job.id, ...words })
}

/** Starts the queue again. The value is looked up among the configured projects. */
export function resumeButton(project: string) {
  const confirm = {
    title: "Resume the queue?",
    text: "The next request in line is sent to the documentation service right away.",
    yes: "Resume",
    no: "Not yet",
  }
  return button({ action: "resume", label: "Resume", value: projectKey(project), confirm })
}
