import type { Profile } from "../access/rules.ts"
import { orSlackError } from "../errors/slack-error.ts"
import { draftOf } from "../jobs/drafts.ts"
import { type NewRequest, submit } from "../jobs/submit.ts"
import { duplicateQuestion, type KeptRequest, unclearQuestion } from "../messages/private.ts"
import {
  blankMessage,
  fullMessage,
  refusedAccess,
  tooLongMessage,
  troubleMessage,
  unknownProjectMessage,
} from "../messages/refusals.ts"
import type { Message } from "../ports/message.ts"
import { type AgentDeps, projectFor } from "./deps.ts"
import { isBlank, PROMPT_MAX, type Words } from "./words.ts"

/**
 * Asks before anything is shown or changed whether this person is let in here. A request is made durable
 * first, and the worker asks the same before its card.
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

/** A request as it came in, before its project is known. */
export type Incoming = Omit<NewRequest, "project">

/**
 * Takes in what somebody asked for, and says privately what its card cannot: nothing about a request that
 * is queued. What may be a slip is asked about first.
 */
export async function ask(
  deps: AgentDeps,
  incoming: Incoming,
  words: Extract<Words, { kind: "prompt" | "unclear" }>,
): Promise<Message | undefined> {
  const code = deps.tokenRefused()
  if (code) return troubleMessage({ is: "disconnected", code }, deps.admins)
  const stays = words.project === undefined ? await projectOfThread(deps, incoming) : undefined
  const project = stays ?? projectFor(deps, incoming.channel, words.project)?.key
  const prompt = { ...incoming.prompt, words: words.words }
  if (project === undefined) {
    const first = deps.projects[0].key
    const kept = await keep(deps, { ...incoming, project: first, prompt })
    const names = deps.projects.map(({ name }) => name)
    return unknownProjectMessage(words.project ?? "", names, kept)
  }
  if (isBlank(words.words)) return blankMessage((await deps.whoWeAre()).user)
  const request = { ...incoming, project, prompt }
  if (words.kind === "prompt") return submitted(deps, request)
  const kept = await keep(deps, request)
  await deps.drafts.ask(request, kept.draft)
  return unclearQuestion(kept)
}

/** A follow-up stays with its thread's project unless another one is named, or it is gone. */
async function projectOfThread(
  { jobs, projects }: AgentDeps,
  { channel, thread }: Incoming,
): Promise<string | undefined> {
  if (thread === undefined) return undefined
  const [latest] = await jobs.inThread(channel, thread)
  return projects.find(({ key }) => key === latest?.job.project)?.key
}

/** Hands a request in. @returns what its person is told privately, if anything */
export async function submitted(
  deps: AgentDeps,
  request: NewRequest,
): Promise<Message | undefined> {
  const answer = await submit(deps.submitting, request)
  switch (answer.outcome) {
    case "queued":
      return undefined
    case "full":
      return fullMessage(answer, await keep(deps, request))
    case "no_room":
      return fullMessage({ of: "no_room", admins: deps.admins }, await keep(deps, request))
    case "same": {
      const found = await deps.jobs.find(answer.id)
      const card =
        found?.job.card &&
        deps.overview.permalink(found.job.channel, found.job.card, found.job.thread)
      const kept = await keep(deps, request)
      await deps.drafts.ask(request, kept.draft)
      return duplicateQuestion(kept, card || undefined)
    }
  }
}

/** Keeps a request that was not accepted, so that one click or the form sends it on. */
async function keep(deps: AgentDeps, request: NewRequest): Promise<KeptRequest> {
  return { words: request.prompt.words, draft: await deps.drafts.save(draftOf(request)) }
}

/** Refuses text that is too long to be a request, without losing it. */
export async function tooLong(
  deps: AgentDeps,
  incoming: Incoming,
  { length, words }: { length: number; words: string },
): Promise<Message> {
  const project = deps.projects[0].key
  const kept = await keep(deps, { ...incoming, project, prompt: { words } })
  return tooLongMessage(length, PROMPT_MAX, kept)
}
