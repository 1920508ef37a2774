import { isOver, type Job } from "../jobs/job.ts"
import { endingOf } from "../jobs/rounds.ts"
import type { Message } from "../slack/message-types.ts"
import { line } from "./blocks.ts"
import { anAdmin, link, mention } from "./mrkdwn.ts"
import { byWords, pullRequestLink } from "./pull-request-words.ts"

/** Answers to an action that changes nothing while its request is open. */
export const WHILE_OPEN = {
  run_again: "*Can't run this again yet*: it hasn't finished.",
  look_again: "*Nothing to look for yet*: this hasn't finished.",
  address_review: "*Nothing to address yet*: this hasn't finished.",
  cancel: "*Too late to cancel*: this is no longer waiting. Press *Mute* to stop notifications.",
  start_separately: "*That follow-up is no longer waiting.*",
} as const
export type NotNowAction = keyof typeof WHILE_OPEN

interface HeldFacts {
  job: Job
  gitHubHost: string
  /** Address of the newest message about it. */
  at?: string | undefined
}

/** Answers an action that changes nothing with what came of the request, and the way there. */
export function nothingToDo(action: NotNowAction, { job, gitHubHost, at }: HeldFacts): Message {
  const text = job.state === "ended" ? onceEnded(action, job, gitHubHost) : WHILE_OPEN[action]
  return line([text, at && link(at, "View it")].filter(Boolean).join(" "))
}

function onceEnded(action: NotNowAction, job: Job, gitHubHost: string): string {
  switch (action) {
    case "run_again":
      return `*Nothing to run again*: ${whatCame(job, gitHubHost)}`
    case "look_again":
      return `*Nothing to look for*: ${whatCame(job, gitHubHost)}`
    case "address_review":
      return `*Nothing to address*: ${whatCame(job, gitHubHost)}`
    case "cancel":
      return "*Nothing to cancel*: this has already ended."
    case "start_separately":
      return WHILE_OPEN.start_separately
  }
}

function whatCame(job: Job, gitHubHost: string): string {
  const pull = pullRequestLink(job, gitHubHost)
  const { state, by } = job.pull ?? {}
  if (!pull || endingOf(job) !== "pull_request") return "there's a newer result."
  if (state === "approved" || state === "merged") return `${pull} was ${state}${byWords(by)}.`
  return isOver(state) ? `${pull} was closed without merging.` : `the result is ${pull}.`
}

export function notYours(owners: readonly string[]): Message {
  return line(notYoursWords(owners))
}

function notYoursWords(owners: readonly string[]): string {
  return `*Only ${[...new Set(owners)].map(mention).join(", ")} or an admin can do that.*`
}

export function adminsOnly(admins: readonly string[], what: string): Message {
  const next =
    admins.length > 0
      ? `Ask ${anAdmin(admins)}.`
      : "Ask the person who runs Docs Agent to add you to `ADMIN_USERS`."
  return line(`*Only an admin can ${what}.* ${next}`)
}

/** Effect of Slack's own Stop button on one job; `owners` if the job belongs to other people. */
export type Stopped = "cancelled" | "muted" | { owners: readonly string[] }

export function stoppedMessage(stopped: readonly Stopped[]): Message {
  const owners = stopped.flatMap((one) => (typeof one === "object" ? one.owners : []))
  const lines = [
    stopped.includes("cancelled") && "*Cancelled what hadn't started.*",
    stopped.includes("muted") &&
      "*The agent can't be stopped once it's working.* I won't mention you, but it may still open a pull request.",
    owners.length > 0 && notYoursWords(owners),
  ].filter(Boolean)
  return line(lines.join("\n") || "*Nothing to stop.* No request is running here.")
}
