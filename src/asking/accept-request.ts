import type { Context } from "../jobs/context.ts"
import { askId, confirmationOf, linkToCard } from "../jobs/job.ts"
import type { Found } from "../jobs/job-store.ts"
import type { Draft, NewRequest } from "../jobs/request-record.ts"
import { reviewAddressed } from "../jobs/send-round.ts"
import { quoting } from "../messages/private-answers.ts"
import {
  duplicateQuestion,
  type KeptRequest,
  pullQuestion,
  unclearQuestion,
} from "../messages/questions.ts"
import * as refusals from "../messages/refused-requests.ts"
import type { OverviewFacts } from "../messages/status-and-home.ts"
import type { Message } from "../slack/message-types.ts"
import type { Profile } from "../slack/profiles.ts"
import { admit } from "./access-rules.ts"
import { choosePull } from "./follow-ups.ts"
import { saveDraft } from "./kept-requests.ts"
import type { Typed } from "./parse-typed-text.ts"
import { submit } from "./store-request.ts"

/** Context of what people ask for in Slack, and what other rooms add to it. */
export interface Asking {
  context: Context
  /** Reads a person's jobs and the queues. @param only ids of the jobs to read instead */
  overview: (
    profile: Pick<Profile, "user" | "timeZone">,
    only?: readonly string[],
  ) => Promise<OverviewFacts>
  /** Remembers which job a request about gaps became. */
  noteRequested(project: string, gaps: readonly string[], note: { job: string }): Promise<void>
}

/**
 * Accepts a request, or asks if it is one. @returns a private answer, unless a card shows it
 * @param inThread jobs of its thread, newest first
 */
export async function acceptTyped(
  asking: Asking,
  incoming: Omit<NewRequest, "project">,
  { kind, words, project: typed }: Extract<Typed, { words: string }>,
  inThread: readonly Found[] = [],
): Promise<Message | undefined> {
  const { settings, slack } = asking.context
  const { projects } = settings
  const project = projects.choose(incoming.channel, typed, inThread[0]?.job.project)?.key
  const prompt = { ...incoming.prompt, words }
  const request = { ...incoming, project: project ?? projects.all[0].key, prompt }
  const code = slack.state.refused
  if (code) {
    const kept = await keep(asking, request)
    return refusals.troubleMessage("disconnected", settings.access.admins, code, kept)
  }
  if (project === undefined) {
    // The answer names the projects, which only people who may ask should see.
    const entry = await admit(asking.context, incoming)
    if ("refusal" in entry) return quoting(entry.refusal, words)
    return refusals.unknownProjectMessage(typed, projects.names, await keep(asking, request))
  }
  if (kind === "prompt") return acceptRequest(asking, request)
  return unclearQuestion(await keep(asking, request, request.channel))
}

/**
 * Accepts any request: typed, from a form, a click or a review.
 * @param askedIn channel of the answer, "" for a direct message
 */
export async function acceptRequest(
  asking: Asking,
  request: NewRequest,
  askedIn = request.channel,
): Promise<Message | undefined> {
  const { jobs, settings, slack } = asking.context
  const pull = await pullOf(asking, request)
  if (pull && "choices" in pull)
    return pullQuestion(await keep(asking, request), pull.choices, settings.gitHubHost)
  const answer = await submit(asking.context, { ...request, job: pull?.id ?? request.job })
  switch (answer.outcome) {
    case "known":
    case "queued": {
      const { project, gaps, reviews, job } = request
      if (gaps) await asking.noteRequested(project, gaps, { job: answer.id })
      const ask = askId(request.delivery)
      if (reviews && job)
        await jobs.change(job, (found) => reviewAddressed(found.job, ask, reviews))
      return undefined
    }
    case "full":
    case "no_room": {
      const kept = await keep(asking, request)
      return refusals.fullMessage(answer, settings.access.admins, kept)
    }
    case "same": {
      const found = await jobs.find(answer.id)
      const kept = await keep(asking, request, askedIn)
      return duplicateQuestion(kept, found && linkToCard(slack.state, found.job))
    }
  }
}

/** Returns which job of its thread a request is about, if several have an open pull request. */
async function pullOf(asking: Asking, request: NewRequest) {
  const { channel, thread, user, project, job } = request
  if (thread === undefined || job !== undefined) return undefined
  const found = await asking.context.jobs.inThread(channel, thread)
  const jobs = found.map((one) => one.job).filter((one) => one.project === project)
  const chosen = choosePull(jobs, user)
  return chosen && "id" in chosen ? chosen : chosen && { choices: chosen }
}

/** Returns the request of a draft that its requester confirmed, however often. */
export function confirmed(draft: Draft, id: string): NewRequest {
  return { ...draft, delivery: confirmationOf(id), anyway: true }
}

/** Stores a request that was not accepted, so that the person can still send it. */
async function keep(asking: Asking, request: NewRequest, askedIn?: string): Promise<KeptRequest> {
  const draft = await saveDraft(asking.context.store, request, askId(request.delivery), askedIn)
  return { words: request.prompt.words, draft }
}
