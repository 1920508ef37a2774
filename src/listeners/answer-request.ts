import { submit } from "../asking/accept-request.ts"
import { admit } from "../asking/admit.ts"
import { chooseProject, noSuchProject } from "../asking/choose-project.ts"
import { choosePull } from "../asking/choose-pull.ts"
import { saveDraft } from "../asking/drafts.ts"
import { askId } from "../asking/new-job.ts"
import type { Typed } from "../asking/read-text.ts"
import type { Found } from "../jobs/job-store.ts"
import type { Draft, NewRequest } from "../jobs/new-request.ts"
import {
  duplicateQuestion,
  type KeptRequest,
  pullQuestion,
  quoting,
  unclearQuestion,
} from "../messages/private-answers.ts"
import * as refusals from "../messages/refusals.ts"
import { linkToCard } from "../pulls/read-overview.ts"
import type { Message } from "../slack/message.ts"
import type { AgentDeps } from "./deps.ts"

/**
 * Accepts a request, or asks if it is one. @returns a private answer, unless a card shows it
 * @param inThread jobs of its thread, newest first
 */
export async function acceptTyped(
  deps: AgentDeps,
  incoming: Omit<NewRequest, "project">,
  { kind, words, project: typed }: Extract<Typed, { words: string }>,
  inThread: readonly Found[] = [],
): Promise<Message | undefined> {
  const project = chooseProject(
    deps.context.settings.projects.all,
    incoming.channel,
    typed,
    inThread,
  )?.key
  const request = {
    ...incoming,
    project: project ?? deps.context.settings.projects.all[0].key,
    prompt: { ...incoming.prompt, words },
  }
  const code = deps.context.slack.state.refused
  if (code) {
    const kept = await keep(deps, request)
    return refusals.troubleMessage("disconnected", deps.context.settings.access.admins, code, kept)
  }
  if (project === undefined) {
    // The answer names the projects, which only people who may ask should see.
    const entry = await admit(deps.context, incoming)
    if ("refusal" in entry) return quoting(entry.refusal, words)
    return noSuchProject(deps.context.settings.projects.all, typed, await keep(deps, request))
  }
  if (kind === "prompt") return acceptRequest(deps, request)
  return unclearQuestion(await keep(deps, request, request.channel))
}

/**
 * Accepts any request: typed, from a form, a click or a review.
 * @param askedIn channel of the answer, "" for a direct message
 */
export async function acceptRequest(
  deps: AgentDeps,
  request: NewRequest,
  askedIn = request.channel,
): Promise<Message | undefined> {
  const pull = await pullOf(deps, request)
  if (pull && "choices" in pull)
    return pullQuestion(await keep(deps, request), pull.choices, deps.context.settings.gitHubHost)
  const answer = await submit(deps.context, { ...request, job: pull?.id ?? request.job })
  switch (answer.outcome) {
    case "queued": {
      const { project, gaps } = request
      if (gaps) await deps.visitors.requested.note(project, gaps, { job: answer.id })
      return undefined
    }
    case "full":
    case "no_room":
      return refusals.fullMessage(
        answer,
        deps.context.settings.access.admins,
        await keep(deps, request),
      )
    case "same": {
      const found = await deps.context.jobs.find(answer.id)
      const kept = await keep(deps, request, askedIn)
      return duplicateQuestion(kept, found && linkToCard(deps.context.slack.state, found.job))
    }
  }
}

/** Returns which job of its thread a request is about, if several have an open pull request. */
async function pullOf(deps: AgentDeps, request: NewRequest) {
  const { channel, thread, user, project, job, replaces } = request
  if (thread === undefined || job !== undefined || replaces) return undefined
  const found = await deps.context.jobs.inThread(channel, thread)
  const jobs = found.map((one) => one.job).filter((one) => one.project === project)
  const chosen = choosePull(jobs, user)
  return chosen && "id" in chosen ? chosen : chosen && { choices: chosen }
}

/** Returns the request of a draft that its requester confirmed, however often. */
export function confirmed(draft: Draft, id: string): NewRequest {
  return { ...draft, delivery: `draft:${id}`, anyway: true }
}

/** Stores a request that was not accepted, so that the person can still send it. */
async function keep(deps: AgentDeps, request: NewRequest, askedIn?: string): Promise<KeptRequest> {
  const draft = await saveDraft(deps.context.store, request, askId(request.delivery), askedIn)
  return { words: request.prompt.words, draft }
}
