import { type EndedJob, isEnded, isUpdate, type Job } from "../jobs/job.ts"
import type { Message } from "../ports/message.ts"
import { actions, context, plain, section } from "./blocks.ts"
import { endingWords } from "./endings.ts"
import { endingButtons, jobButton, viewButton } from "./job-buttons.ts"
import { mentions } from "./mrkdwn.ts"
import { previewButtons, previewLine } from "./preview.ts"
import { byWords, pullRequestLink, pullWords, sizeWords, withAddress } from "./pull-request.ts"

interface ResultFacts {
  job: Job
  /** Those who asked in this round and have not muted it; they are mentioned. */
  users: readonly string[]
  gitHubHost: string
}

const BY_AI = "Written by AI: review it before merging."

/**
 * Says what came of a round, once, mentioning who asked. Says nothing of the pull request's state, which
 * the card shows: here it would be an older one. Fields of the job alone decide it, so that an edit shows
 * a size or a preview that became known later.
 */
export function resultReply({ job, users, gitHubHost }: ResultFacts): Message {
  if (!isEnded(job)) throw new Error(`Job ${job.id} has no result yet.`)
  const words = resultWords(job, gitHubHost)
  const text = [mentions(users), words].filter(Boolean).join(" ")
  const preview = previewLine(job)
  const note = job.ending === "pull_request" ? noteOn(job) : undefined
  return {
    text: withAddress(
      withAddress(plain([text, note, preview].filter(Boolean).join("\n")), job.prLink),
      job.preview?.state === "ready" ? job.preview.url : undefined,
    ),
    blocks: [
      section(text),
      ...(preview ? [section(preview)] : []),
      ...(note ? [context(note)] : []),
      ...actions([...endingButtons(job), ...previewButtons(job)]),
    ],
  }
}

function resultWords(job: EndedJob, gitHubHost: string): string {
  const label = pullRequestLink(job, gitHubHost)
  if (job.ending !== "pull_request" || !label) {
    const { state, next } = endingWords(job, { gitHubHost })
    return [state, next].filter(Boolean).join("\n")
  }
  const size = sizeWords(job.pull)
  if (isUpdate(job)) return size ? `*Updated*: ${size}` : `*Updated*: ${label}`
  return [`Your pull request is ready: ${label}`, size].filter(Boolean).join(" · ")
}

/** The first result says how to go on; a follow-up has just shown that it is known. */
function noteOn(job: Job): string {
  if (isUpdate(job)) return BY_AI
  const here = job.channel.startsWith("D") ? "reply" : "mention me"
  return `${BY_AI} To change it, ${here} in this thread.`
}

/** Tells that reviewers requested changes, once a round, with the way to have them made. */
export function reviewPost({ job, users, gitHubHost }: ResultFacts): Message {
  const about = pullWords(job, gitHubHost)
  const words = `*Changes requested*${byWords(job.pull?.review?.by)}${about ? `: ${about}` : ""}`
  const text = [mentions(users), words].filter(Boolean).join(" ")
  const address = { ...jobButton(job, "address_review"), style: "primary" as const }
  return {
    text: withAddress(plain(text), job.prLink),
    blocks: [section(text), ...actions([address, ...viewButton(job)])],
  }
}
