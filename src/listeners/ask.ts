import type { Profile } from "../access/rules.ts"
import { orSlackError } from "../errors/slack-error.ts"
import { draftOf } from "../jobs/drafts.ts"
import type { Job } from "../jobs/job.ts"
import { type NewRequest, submit } from "../jobs/submit.ts"
import type { Message } from "../messages/blocks.ts"
import { duplicateQuestion, type KeptRequest, unclearQuestion } from "../messages/private.ts"
import {
  blankMessage,
  fullMessage,
  refusedAccess,
  tooLongMessage,
  troubleMessage,
  unknownProjectMessage,
} from "../messages/refusals.ts"
import { type AgentDeps, projectFor } from "./deps.ts"
import { isBlank, PROMPT_MAX, type Words } from "./words.ts"

/**
 * Checks whether this person may use the bot here, before the bot shows or changes anything. For a
 * request the worker does this check, before it posts the card.
 */
export async function admit(
  { gate, admins }: Pick<AgentDeps, "gate" | "admins">,
  { user, channel }: { user: string; channel?: string | undefined },
): Promise<{ profile: Profile } | { refusal: Message }> {
  const entry = await gate({ user, channel }).catch((error: unknown) => {
    orSlackError(error)
    return { refusal: "unclear" as const }
  })
  if ("profile" in entry) return entry
  return { refusal: refusedAccess(entry.refusal, { user, admins }) }
}

/** A request before its project is known. */
export type Incoming = Omit<NewRequest, "project">

/**
 * Accepts a request. Tells the person privately what no card shows, so nothing about a queued
 * request. Asks first if the text may be a slip.
 */
export async function ask(
  deps: AgentDeps,
  incoming: Incoming,
  words: Extract<Words, { kind: "prompt" | "unclear" | "too_long" }>,
): Promise<Message | undefined> {
  const code = deps.tokenRefused()
  if (code) return troubleMessage({ is: "disconnected", code }, deps.admins)
  const prompt = { ...incoming.prompt, words: words.words }
  const first = deps.projects[0].key
  if (words.kind === "too_long") {
    const kept = await keep(deps, { ...incoming, project: first, prompt })
    return tooLongMessage(words.length, PROMPT_MAX, kept)
  }
  const stays = words.project === undefined ? await projectOfThread(deps, incoming) : undefined
  const project = stays ?? projectFor(deps, incoming.channel, words.project)?.key
  if (project === undefined) {
    const kept = await keep(deps, { ...incoming, project: first, prompt })
    const names = deps.projects.map(({ key }) => deps.listing.nameOf(key))
    return unknownProjectMessage(words.project ?? "", names, kept)
  }
  if (isBlank(words.words)) return blankMessage((await deps.whoWeAre()).user)
  const request = { ...incoming, project, prompt }
  if (words.kind === "prompt") return submitted(deps, request)
  const kept = await keep(deps, request)
  await deps.drafts.ask(request, kept.draft)
  return unclearQuestion(kept)
}

/** Returns the project of the request's thread, unless the text names another one or that project is gone. */
async function projectOfThread(
  { jobs, projects }: AgentDeps,
  { channel, thread }: Incoming,
): Promise<string | undefined> {
  if (thread === undefined) return undefined
  const [latest] = await jobs.inThread(channel, thread)
  return projects.find(({ key }) => key === latest?.job.project)?.key
}

/** Submits a request. @returns the private answer to the person, if any */
export async function submitted(
  deps: AgentDeps,
  request: NewRequest,
): Promise<Message | undefined> {
  const answer = await submit(deps, request)
  switch (answer.outcome) {
    case "queued":
      return undefined
    case "full":
    case "no_room":
      return fullMessage(answer, deps.admins, await keep(deps, request))
    case "same": {
      const found = await deps.jobs.find(answer.id)
      const kept = await keep(deps, request)
      await deps.drafts.ask(request, kept.draft)
      return duplicateQuestion(kept, found && linkToCard(deps, found.job))
    }
  }
}

export function linkToCard(
  { permalink }: Pick<AgentDeps, "permalink">,
  { channel, card, thread }: Job,
): string | undefined {
  return card === undefined ? undefined : permalink(channel, card, thread)
}

/** Stores a request that was not accepted, so that the person can send it with one click or the form. */
async function keep(deps: AgentDeps, request: NewRequest): Promise<KeptRequest> {
  return { words: request.prompt.words, draft: await deps.drafts.save(draftOf(request)) }
}
