import { jobCard } from "../../messages/card.ts"
import {
  cannotPost,
  type PlaceOf,
  refusedAccess,
  unreadFilesMessage,
} from "../../messages/refusals.ts"
import { resultReply, reviewPost } from "../../messages/result.ts"
import type { Ask, Job } from "../job.ts"
import type { RefusedAsk } from "../prepare.ts"
import { type Draft, draftOf } from "../prompt/drafts.ts"
import type { Words } from "../prompt/prompt.ts"
import { recipientsOf } from "./next-step.ts"

interface Circumstances {
  gitHubHost: string
  admins: readonly string[]
  delayMs: number
  /** Returns a project's name if the bot serves several. */
  projectOf: (project: string) => string | undefined
  placeOf: PlaceOf
  /** Keeps a request that was not started, so that the person can send it again. */
  save: (draft: Draft) => Promise<string>
}

export function createJobMessages(about: Circumstances) {
  const { gitHubHost, admins, delayMs, projectOf, placeOf, save } = about

  async function keep(job: Job, ask: Ask | undefined, words: Words) {
    const prompt = words[ask?.id ?? ""]
    if (!prompt) return undefined
    const { project, team, channel, user, thread } = { ...job, ...ask }
    const draft = await save(
      draftOf({ project, team, channel, user, thread, prompt, delivery: "" }),
    )
    return { words: prompt.words, draft }
  }

  return {
    card: (facts: Pick<Parameters<typeof jobCard>[0], "job" | "words" | "name" | "now">) =>
      jobCard({ ...facts, project: projectOf(facts.job.project), gitHubHost, admins, delayMs }),
    result: (job: Job, users: readonly string[], hasPreviews: boolean) =>
      resultReply({ job, users, gitHubHost, hasPreviews }),
    review: (job: Job) => reviewPost({ job, users: recipientsOf(job), gitHubHost }),
    cannotPost: async (job: Job, words: Words) =>
      cannotPost(job.detail ?? "", await placeOf(job.channel), await keep(job, job.asks[0], words)),
    refused: async (job: Job, { ask, refusal }: RefusedAsk, words: Words) =>
      refusedAccess(refusal, { user: ask.user, admins }, await keep(job, ask, words)),
    unreadFiles: (files: Parameters<typeof unreadFilesMessage>[0]) =>
      unreadFilesMessage(files, admins),
  }
}
