import { type EndedJob, isBuilding, isEnded, isOver, isUpdate, type Job } from "../jobs/job.ts"
import type { Message } from "../slack/message.ts"
import { message } from "./blocks.ts"
import { endingWords } from "./endings.ts"
import { endingButtons, previewButtons, reviewButtons } from "./job-buttons.ts"
import { counted, foreignLine, mentions } from "./mrkdwn.ts"
import { byWords, changedFilesWords, pullRequestLink, pullWords, safeUrl } from "./pull-request.ts"

interface ResultFacts {
  job: Job
  users: readonly string[]
  gitHubHost: string
  hasPreviews?: boolean
  /** True for a direct message about a job of a channel, where an answer would reach no job. */
  isDirect?: boolean
}

/**
 * Renders the closing reply of a round. Leaves out the pull request's state, which would become out
 * of date here and which the card shows. An edit adds a size or a preview found later.
 */
export function resultReply({ job, users, gitHubHost, ...facts }: ResultFacts): Message {
  if (!isEnded(job)) throw new Error(`Job ${job.id} has no result yet.`)
  const text = [mentions(users), resultWords(job, gitHubHost)].filter(Boolean).join(" ")
  const here = job.channel.startsWith("D") ? "reply" : "mention me"
  const change = facts.isDirect ? "" : ` To change it, ${here} here.`
  const next = cameLate(job) ? "." : `: review it before merging.${change}`
  return message({
    lines: [text, previewLine(job)],
    // For an update, the first closing reply in the thread already has the note.
    small: job.ending === "pull_request" && !isUpdate(job) ? `Written by AI${next}` : undefined,
    buttons: [...endingButtons(job), ...previewButtons(job, facts.hasPreviews)],
  })
}

function resultWords(job: EndedJob, gitHubHost: string): string {
  const label = pullRequestLink(job, gitHubHost)
  if (job.ending !== "pull_request" || !label) {
    const { state, next } = endingWords(job, gitHubHost)
    return [state, next].filter(Boolean).join("\n")
  }
  const size = changedFilesWords(job.pull)
  if (isUpdate(job)) return size ? `*Updated*: ${size}` : `*Updated*: ${label}`
  const ready = cameLate(job) ? "" : " is ready"
  return [`*Your pull request${ready}*: ${label}`, size].filter(Boolean).join(" · ")
}

/** Returns whether the reply comes after the pull request's end. What was posted keeps its words. */
function cameLate({ result, round, pull }: Job): boolean {
  return result?.round === round ? result.wasOver === true : isOver(pull?.state)
}

export function reviewPost({ job, users, gitHubHost }: ResultFacts): Message {
  const about = pullWords(job, gitHubHost)
  const words = `*Changes requested*${byWords(job.pull?.by)}${about ? `: ${about}` : ""}`
  const text = [mentions(users), words].filter(Boolean).join(" ")
  return message({
    lines: [text],
    small: "*Address the review* sends the new comments to the agent.",
    buttons: reviewButtons(job),
  })
}

/** Says how a preview ended to the person who asked for it, where no closing reply shows that. */
export function previewTold(job: Job, gitHubHost: string): Message {
  const lines = [previewLine(job), pullWords(job, gitHubHost)].filter((one) => one !== undefined)
  return message({ lines, buttons: previewButtons(job) })
}

function previewLine({ preview, pull }: Job): string | undefined {
  if (!preview) return undefined
  const { state, fault, files = 0 } = preview
  if (isBuilding(preview))
    return ":hourglass_flowing_sand: *Building the preview.* It usually takes a few minutes."
  if (state === "ready" && safeUrl(preview.url))
    return `:white_check_mark: *Preview ready.*${files > 0 ? ` ${counted(files, "file")} changed.` : ""}`
  if (state === "ready")
    return ":white_check_mark: *Preview ready*, but its link can't be shown. Find it in the documentation service."
  if (state === "failed") {
    const why = fault ? PREVIEW_FAULTS[fault] : foreignLine(preview.summary ?? "", 300)
    return `:x: *Couldn't build the preview.* ${why}`.trim()
  }
  return `:warning: *Couldn't confirm that the preview was built.*${isOver(pull?.state) ? "" : " Rebuild it."}`
}

const PREVIEW_FAULTS = {
  not_started: "The service didn't start a build.",
  key_refused: "The service rejected the API key.",
  late: "It wasn't ready after 30 minutes.",
}
